// One document: its form, and what else can be done with it. A form saves only the members that were changed, and only
// if the document still has the version that was read.

import { ask } from '/console/confirm.js';
import { Attempts } from './attempts.js';
import { chooseValues } from './conflict.js';
import { Changes } from './changes.js';
import { Fields, isSame } from './fields.js';
import { changedMeanwhile, orderPanels, stockPanel } from './panels.js';
import { address, el, needExactPrice, notShownYet, outcome, run } from './elements.js';

export class Editor {
  #options;
  #id;
  #fields;
  #document;
  #version;
  #heading = el('h1', { tabIndex: -1 });
  #outcome = outcome();
  #conflict = el('div', { className: 'conflict' });
  #panels = el('div', { className: 'panels' });
  #stock;
  #form;
  #creation;

  constructor(root, options) {
    const { resource, name, id, shop, signal } = options;
    [this.#options, this.#id] = [options, id === 'new' ? undefined : Number(id)];
    const members = resource.members.filter((one) => !this.#id || !one.isNewOnly);
    this.#fields = new Fields(members);
    this.#creation = new Attempts(async (body, key) =>
      (await shop.send('POST', `/${name}`, body, { key, signal })).value);
    this.#form = el('form', { className: 'sheet editor', noValidate: true, 'aria-label': resource.one, hidden: true },
      this.#fields.elements, this.#outcome, this.#conflict,
      el('div', { className: 'row' }, el('button', { className: 'main' }, this.#id ? 'Save' : 'Create'),
        this.#id && el('button', { type: 'button', className: 'alarm', onclick: () => this.#delete() }, 'Delete')));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      run(this.#outcome, this.#form, () => (this.#id ? this.#save() : this.#create()));
    });
    root.append(el('a', { className: 'back', href: address({ view: name }) }, resource.title), this.#heading,
      this.#form, this.#panels);
  }

  async show() {
    if (this.#id) return this.#read();
    this.#heading.textContent = `New ${this.#options.resource.one}`;
    this.#form.hidden = false;
    this.#fields.show();
  }

  showProblem(problem) {
    this.#heading.textContent = `${this.#options.resource.one} ${this.#id ?? ''}`;
    this.#heading.after(el('p', { className: 'outcome', 'data-state': 'alarm', role: 'alert' },
      problem.status === 404 ? 'It does not exist, or it was deleted.' : problem.message));
  }

  /** Whether something was typed that is not saved. */
  get hasChanges() {
    return !this.#form.hidden && Object.keys(this.#fields.changes()).length > 0;
  }

  get #path() {
    return `/${this.#options.name}/${this.#id}`;
  }

  // The document with everything that is shown of it. A form that keeps its changes also keeps their version.
  async #read({ keepsChanges, earlier } = {}) {
    const { shop, resource, signal } = this.#options;
    this.#document = await shop.read(this.#path, signal);
    if (!keepsChanges || !Object.keys(this.#fields.changes()).length) this.#fill(earlier);
    this.#showPanels();
    this.#heading.textContent = resource.nameOf(this.#document);
  }

  #showPanels() {
    const { shop, name, signal } = this.#options;
    const again = (version, alarm) =>
      this.#report(alarm ?? 'Done.', version, { keepsChanges: true, state: alarm && 'alarm' });
    if (name === 'products') this.#stock ??= stockPanel(shop, this.#id, again, signal);
    this.#stock?.show(this.#document);
    const others = name === 'orders' ? orderPanels(shop, this.#document, again, signal) : [];
    const history = new Changes(shop, `${name}/${this.#id}`, signal);
    // The panel of the stock is not even moved, because that would take the focus from it.
    for (const panel of [...this.#panels.children]) if (panel !== this.#stock?.element) panel.remove();
    if (this.#stock && !this.#stock.element.isConnected) others.push(this.#stock.element);
    this.#panels.append(...others, history.element);
  }

  #fill(earlier) {
    this.#version = this.#document.version;
    this.#form.hidden = false;
    this.#fields.show(this.#document, earlier);
    this.#conflict.replaceChildren();
  }

  // A command was executed and led to this version, which the document may not have yet. Returns whether it has.
  async #report(words, version, options) {
    try {
      await this.#read(options);
    } catch (problem) {
      if (problem.status === 401 || this.#options.signal.aborted) throw problem;
      this.#outcome.say(`${words} ${problem.message}`, 'alarm');
      return false;
    }
    const isShown = this.#document.version >= version;
    this.#outcome.say(isShown ? words : `${words} ${notShownYet}`, options?.state);
    return isShown;
  }

  async #create() {
    const { name, resource, go } = this.#options;
    this.#fields.clearErrors();
    const values = this.#fields.values();
    needExactPrice(values);
    const { value: { id }, isEarlier } = await this.#creation.send(values).catch((problem) => {
      this.#fields.showErrors(problem);
      throw problem;
    });
    if (!isEarlier) return go(address({ view: name, id }), { isReplaced: true });
    this.#creation.renewKey();
    throw new Error(`An earlier attempt created ${resource.one} ${id}, this one was not executed. `
      + 'Press Create again only if you want another one.');
  }

  async #save(changes = this.#fields.changes(), version = this.#version) {
    const { shop, signal } = this.#options;
    this.#fields.clearErrors();
    if (!Object.keys(changes).length) return this.#outcome.say('Nothing was changed.');
    needExactPrice(changes);
    // What is typed from now on is kept.
    const earlier = this.#fields.all();
    try {
      const { value } = await shop.send('PATCH', this.#path, changes, { version, signal });
      await this.#report('Saved.', value.version, { earlier });
      // What is typed meanwhile keeps the focus.
      if (!Object.keys(this.#fields.changes()).length) this.#heading.focus();
    } catch (problem) {
      if (problem.code === 'version.mismatch') return this.#resolve(problem.version);
      this.#fields.showErrors(problem);
      throw problem;
    }
  }

  // A change of something that the form does not have, such as a sale, is no conflict.
  async #resolve(version) {
    const { shop, signal } = this.#options;
    const stored = await shop.readVersion(this.#path, version, signal);
    if (stored.version < version) {
      return this.#outcome.say('It was changed meanwhile, and the change cannot be shown yet. Try again.', 'alarm');
    }
    const theirs = this.#fields.compare(stored);
    if (!theirs.some((one) => one.isChangedThere)) return this.#save(this.#fields.changes(), stored.version);
    this.#outcome.say('Someone else has changed this meanwhile. Choose which values to keep.', 'alarm');
    const choices = chooseValues(theirs, (kept) => run(this.#outcome, this.#form, async () => {
      const values = this.#chosen(theirs, kept);
      if (Object.keys(values).length) return this.#save(values, stored.version);
      await this.#read();
      this.#outcome.say('The stored values were kept.');
    }));
    this.#conflict.replaceChildren(choices);
    choices.querySelector('input').focus();
  }

  // A field that was edited since the choice was shown is chosen by that, and so are those that were not compared.
  #chosen(theirs, kept) {
    const values = this.#fields.changes();
    const now = this.#fields.all();
    for (const { name, yours } of theirs) {
      delete values[name];
      if (name in kept || !isSame(now[name], yours)) values[name] = now[name];
    }
    return values;
  }

  async #delete() {
    const { shop, name, resource, go, signal } = this.#options;
    const title = `Delete ${resource.nameOf(this.#document)}?`;
    if (!await ask({ title, text: `The ${resource.one} is deleted for good.`, yes: 'Delete it' }, signal)) return;
    await run(this.#outcome, this.#form, async () => {
      try {
        await shop.send('DELETE', this.#path, undefined, { version: this.#document.version, signal });
      } catch (problem) {
        if (problem.code !== 'version.mismatch') throw problem;
        await shop.readVersion(this.#path, problem.version, signal);
        return this.#report(changedMeanwhile, problem.version, { keepsChanges: true, state: 'alarm' });
      }
      return go(address({ view: name }), { isReplaced: true });
    });
  }
}
