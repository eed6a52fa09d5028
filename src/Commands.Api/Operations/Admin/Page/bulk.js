// Changes one member of the selected rows: each is replaced by what the table shows of it with the new value, unless it
// has changed since.

import { choice, el, labelled, needExactPrice, numberOf, run, sentence } from './elements.js';

export class BulkBar {
  #resource;
  #name;
  #shop;
  #outcome;
  #onDone;
  #selected = [];
  #count = el('strong');

  /** `outcome` is outside the bar, which is hidden when the table shows other rows while a change runs. */
  constructor(resource, name, shop, outcome, onDone) {
    [this.#resource, this.#name, this.#shop, this.#outcome, this.#onDone] = [resource, name, shop, outcome, onDone];
    const value = el('span', { className: 'value' });
    const which = choice('member', resource.bulk.map(({ name, title }) => [name, title]), resource.bulk[0].name);
    const offer = () => value.replaceChildren(labelled('New value', this.#control(which.value)));
    which.addEventListener('change', offer);
    offer();
    const form = el('form', { className: 'row', onsubmit: (event) => {
      event.preventDefault();
      run(this.#outcome, form, () => this.#change(which.value, new FormData(form).get('value')));
    } }, this.#count, labelled('Member', which), value, el('button', { className: 'main' }, 'Change them'));
    this.element = el('div', { className: 'sheet bulk', role: 'group', 'aria-label': 'Selected rows', hidden: true },
      form);
  }

  select(documents) {
    this.#selected = documents;
    this.element.hidden = !documents.length;
    this.#count.textContent = `${documents.length} selected`;
  }

  #control(name) {
    const { type } = this.#resource.bulk.find((one) => one.name === name);
    return type === 'flag' ? choice('value', [['true', 'Yes'], ['false', 'No']], 'true')
      : el('input', { name: 'value', inputMode: 'decimal', required: true, autocomplete: 'off' });
  }

  async #change(name, text) {
    const { type } = this.#resource.bulk.find((one) => one.name === name);
    const value = type === 'flag' ? text === 'true' : numberOf(text.trim());
    const selected = this.#selected;
    const items = selected.map((one) => ({ ...this.#itemOf(one), [name]: value }));
    items.forEach(needExactPrice);
    await this.#report(await this.#replace(items), selected);
  }

  // Products are changed part by part: of a long list some parts may be refused, and others not.
  async #report(lines, selected) {
    const changed = lines.flatMap((line) => line.items ?? []).length;
    const refused = lines.filter((line) => line.problem);
    const versions = lines.flatMap(({ items, problem }) => items ?? problem?.current ?? []);
    if (changed || !refused.length) {
      const words = [changedOf(changed, selected.length), ...refused.map((line) => this.#partOf(line, selected))];
      return this.#onDone(words.join(' '), { versions, state: changed === selected.length ? 'ok' : 'alarm' });
    }
    const [{ problem }] = refused;
    const reason = this.#reasonOf(problem, selected);
    if (problem.code !== 'version.mismatch') return this.#outcome.say(reason, 'alarm');
    await this.#onDone(reason, { versions, ifShown: 'The table shows what is stored now.', state: 'alarm' });
  }

  // Rows that the shop did not read are in no line.
  #partOf({ first, count, problem }, selected) {
    const names = selected.slice(first, first + count).map((one) => `"${this.#resource.nameOf(one)}"`);
    const reason = this.#reasonOf(problem, selected);
    if (!names.length) return reason;
    return `Not changed: ${names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`}. ${reason}`;
  }

  #reasonOf({ detail, errors }, selected) {
    return sentence({ message: detail, errors: this.#byName(selected, errors) });
  }

  // The lines of the response. Products are refused in a line, the others by the status, which becomes a line.
  async #replace(items) {
    try {
      return await this.#shop.replace(`/${this.#name}/bulk`, items);
    } catch (problem) {
      if (!problem.errors) throw problem;
      return [{ problem: { ...problem, detail: problem.message } }];
    }
  }

  // A replacement without a stock and a password keeps them.
  #itemOf(one) {
    const members = this.#resource.members.filter(({ name }) => name !== 'stock' && name !== 'password');
    const values = members.map(({ name, read }) => [name, read ? read(one) : one[name]]);
    return { id: one.id, version: one.version, ...Object.fromEntries(values) };
  }

  // The API names an item by its place in the list, the table by its name.
  #byName(selected, errors = {}) {
    return Object.fromEntries(Object.entries(errors).map(([path, reasons]) => [
      path.replace(/^\[(\d+)\]\.?/, (_, place) => `${this.#resource.nameOf(selected[place])} `), reasons]));
  }
}

function changedOf(changed, count) {
  if (changed < count) return `${changed} of ${count} rows were changed.`;
  return count === 1 ? '1 row was changed.' : `${count} rows were changed.`;
}
