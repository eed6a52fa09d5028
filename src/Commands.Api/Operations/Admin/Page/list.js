// The table of a resource: a page of its list by cursor, with the filters and the order of the address.

import { BulkBar } from './bulk.js';
import { address, choice, el, labelled, notShownYet, outcome } from './elements.js';

const pageSize = 50;

export class List {
  #options;
  #query;
  #signal;
  #form;
  #heading;
  #table = el('table');
  #pager = el('nav', { className: 'row pager', 'aria-label': 'Pages' });
  #status = outcome();
  #bar;
  #data = [];

  constructor(root, options) {
    const { resource, name, shop } = options;
    this.#options = options;
    this.#form = this.#filters();
    this.#heading = el('h1', { tabIndex: -1 }, resource.title);
    this.#bar = resource.bulk && new BulkBar(resource, name, shop,
      { say: (...words) => this.#say(...words) }, (...words) => this.#reload(...words));
    root.append(
      el('div', { className: 'row heading' }, this.#heading,
        resource.isImported && el('a', { className: 'button', href: address({ view: name, do: 'import' }) }, 'Import'),
        !resource.isNotCreated && el('a', { className: 'button main', href: address({ view: name, id: 'new' }) },
          `New ${resource.one}`)),
      this.#form, this.#status, this.#bar?.element ?? '',
      el('div', { className: 'sheet table', role: 'group', 'aria-label': `Table of ${resource.title}`, tabIndex: 0 },
        this.#table),
      this.#pager);
  }

  get name() {
    return this.#options.name;
  }

  /** Shows the page of an address. */
  async show(query, signal) {
    [this.#query, this.#signal] = [query, signal];
    const wanted = new URLSearchParams(query);
    wanted.delete('view');
    for (const control of this.#form.elements) if (control.name) control.value = wanted.get(control.name) ?? '';
    const more = this.#options.resource.filters.slice(2);
    this.#form.querySelector('details').open ||= more.some(({ name }) => wanted.has(name));
    for (const { name, type, isEnd } of this.#options.resource.filters)
      if (type === 'date' && wanted.get(name)) wanted.set(name, timeOf(wanted.get(name), isEnd));
    wanted.set('pageSize', pageSize);
    this.#table.ariaBusy = 'true';
    // Before the read: an action may end during the read, and its outcome must stay.
    this.#status.say('');
    this.#fill(await this.#options.shop.read(`/${this.name}/cursor?${wanted}`, signal));
  }

  showProblem(problem) {
    // The documents were rebuilt since the last page.
    if (problem.code === 'cursor.expired') {
      return this.#options.go(this.#addressWith({ after: '', before: '' }), { isReplaced: true });
    }
    this.#table.ariaBusy = 'false';
    this.#table.replaceChildren();
    this.#pager.replaceChildren();
    this.#bar?.select([]);
    this.#status.say(problem.status === 403 ? `This key may not read ${this.#options.resource.title.toLowerCase()}.`
      : problem.message, 'alarm');
  }

  // The row that was selected may be far below.
  #say(text, state) {
    this.#status.say(text, state);
    this.#status.scrollIntoView({ block: 'nearest' });
  }

  // The outcome of an action is said even if the table cannot be read again. `versions` are those that the rows have
  // now, which the table may not show yet.
  async #reload(text, { versions, ifShown = '', state }) {
    const signal = this.#signal;
    try {
      await this.show(this.#query, signal);
      this.#status.say(`${text} ${this.#shows(versions) ? ifShown : notShownYet}`.trim(), state);
    } catch (problem) {
      if (problem.status === 401) throw problem;
      // The table shows other rows meanwhile.
      if (signal.aborted) return this.#status.say(text, state);
      this.showProblem(problem);
      this.#status.say(`${text} ${problem.message}`, 'alarm');
    }
    // The button that was pressed is hidden.
    this.#heading.focus();
  }

  // A row that is not in the table does not count: the filters may leave it out now.
  #shows(versions) {
    const shown = new Map(this.#data.map(({ id, version }) => [id, version]));
    return versions.every(({ id, version }) => !(shown.get(id) < version));
  }

  #addressWith(changes) {
    return address({ ...Object.fromEntries(this.#query), ...changes });
  }

  #filters() {
    const { resource, go, name } = this.#options;
    const controls = resource.filters.map((one) => labelled(one.title, one.type === 'choice'
      ? choice(one.name, one.pairs)
      : el('input', { name: one.name, type: one.type, autocomplete: 'off' })));
    const trimmed = () => Array.from(new FormData(form), ([member, value]) => [member, value.trim()]);
    const apply = () => go(address({ view: name, ...Object.fromEntries(trimmed()) }));
    const form = el('form', { className: 'filters', role: 'search', 'aria-label': 'Filters', onchange: apply },
      controls.slice(0, 2), labelled('Order', choice('sort', resource.sorts)),
      el('details', { hidden: controls.length < 3 },
        el('summary', {}, 'More filters'), el('div', { className: 'filters' }, controls.slice(2))));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      apply();
    });
    return form;
  }

  #fill({ data, nextCursor, prevCursor }) {
    const { resource } = this.#options;
    this.#data = data;
    const columns = [{ title: 'Name', kind: 'name' }, ...resource.columns];
    const boxes = data.map((one) => this.#bar && el('input', { type: 'checkbox',
      'aria-label': `Select ${resource.nameOf(one)}`, onchange: () => this.#select(data, boxes, all) }));
    const all = this.#bar && el('input', { type: 'checkbox', 'aria-label': 'Select all', onchange: () => {
      for (const box of boxes) box.checked = all.checked;
      this.#select(data, boxes, all);
    } });
    this.#table.replaceChildren(
      el('thead', {}, el('tr', {}, all && el('td', { className: 'pick' }, all), el('th', { scope: 'col' }, 'No.'),
        columns.map(({ title, kind }) => el('th', { scope: 'col', className: kind }, title)))),
      el('tbody', {}, data.map((one, index) => this.#row(one, boxes[index]))));
    this.#table.ariaBusy = 'false';
    this.#bar?.select([]);
    if (!data.length && !this.#status.textContent)
      this.#status.say(`No ${resource.title.toLowerCase()} are in this list.`);
    const pages = [['Previous', prevCursor, { before: prevCursor, after: '' }],
      ['Next', nextCursor, { after: nextCursor, before: '' }]];
    const hasFocus = this.#pager.contains(document.activeElement);
    this.#pager.replaceChildren(...pages.filter(([, cursor]) => cursor).map(([title, , changes]) =>
      el('a', { className: 'button', href: this.#addressWith(changes) }, title)));
    if (hasFocus) this.#heading.focus();
  }

  #row(one, box) {
    const { resource, name } = this.#options;
    return el('tr', {}, box && el('td', { className: 'pick' }, box), el('td', {}, one.id),
      el('th', { scope: 'row', className: 'name' },
        el('a', { href: address({ view: name, id: one.id }) }, resource.nameOf(one))),
      resource.columns.map(({ text, kind }) => el('td', { className: kind }, text(one) ?? '')));
  }

  #select(data, boxes, all) {
    const selected = data.filter((_, index) => boxes[index].checked);
    all.checked = selected.length === data.length;
    all.indeterminate = selected.length > 0 && !all.checked;
    this.#bar.select(selected);
  }
}

/** The start of a day where the reader is, or its last microsecond. The API refuses what is not a day. */
function timeOf(day, isEnd) {
  const time = new Date(`${day}T00:00`);
  if (Number.isNaN(time.getTime())) return day;
  if (!isEnd) return time.toISOString();
  time.setDate(time.getDate() + 1);
  return new Date(time - 1).toISOString().replace('Z', '999Z');
}
