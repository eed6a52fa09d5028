// A list of things to repair. It is updated item by item, so that outcomes and the focus are kept.

import { ask } from './confirm.js';
import { copyTemplate, plural, setText, stateText } from './format.js';
import { replayAll } from './replay-all.js';

const pageSize = 50;
const updatesPerRefresh = 5;

export class RepairList {
  #section;
  #status;
  #all;
  #list;
  #kind;
  #items = new Map();
  #api;
  #signal;
  #count;
  #updates = 0;
  #lastOutcome = '';
  #isRefreshing = false;
  #isReplaying = false;

  constructor(section, kind) {
    this.#section = section;
    this.#status = section.querySelector('.status');
    this.#list = section.querySelector('.repairs');
    this.#kind = kind;
    this.#all = section.querySelector('.all');
    this.#all.addEventListener('click', () => this.#replayAll());
  }

  open(api, signal) {
    [this.#api, this.#signal] = [api, signal];
  }

  clear() {
    [this.#count, this.#updates] = [undefined, 0];
    this.#items.clear();
    this.#list.replaceChildren();
    [this.#lastOutcome, this.#isReplaying] = ['', false];
    this.#all.hidden = true;
    setText(this.#status, '');
  }

  /** Refreshes the list when the count has changed, or was the same a few times. */
  update(count) {
    const isSame = count === this.#count && (!count || ++this.#updates < updatesPerRefresh);
    if (isSame || this.#isRefreshing) return;
    [this.#count, this.#updates] = [count, 0];
    this.#refresh();
  }

  /** Shows that the list cannot be read. */
  showState(state) {
    this.#count = undefined;
    setText(this.#status, `${stateText(state, 'the Projector', 'admin')}.`);
  }

  async #refresh() {
    this.#isRefreshing = true;
    const signal = this.#signal;
    try {
      const { items, next } = await this.#api.json(`${this.#kind.path}?limit=${pageSize}`, { signal });
      if (!signal.aborted) this.#show(items, next);
    } catch (problem) {
      if (signal.aborted) return;
      this.#count = undefined;
      setText(this.#status, problem.message);
    } finally {
      this.#isRefreshing = false;
    }
  }

  #show(items, next) {
    const [one, more, none] = this.#kind.nouns;
    const count = !items.length ? none : next == null ? plural(items.length, one, more) : `The first ${plural(items.length, one, more)}`;
    const ids = new Set(items.map(this.#kind.id));
    for (const [id, item] of this.#items) if (!ids.has(id)) this.#remove(id, item);
    for (const found of items) this.#update(found);
    this.#all.hidden = items.length === 0;
    if (!this.#isReplaying) setText(this.#status, `${this.#lastOutcome} ${count}`.trim());
  }

  #update(found) {
    const id = this.#kind.id(found);
    const item = this.#items.get(id) ?? this.#add(id, found);
    item.found = found;
    setText(item.element.querySelector('.name'), this.#kind.name(found));
    setText(item.element.querySelector('.facts'), this.#kind.facts(found));
    setText(item.element.querySelector('.reason'), this.#kind.reason(found));
  }

  #add(id, found) {
    const item = { element: copyTemplate('repair'), found, isBusy: false };
    const actions = item.element.querySelector('.actions');
    item.replay = button(actions, 'Replay', () => (item.isPreviewed ? this.#replay(item) : this.#preview(item)), this.#kind.name(found));
    if (this.#kind.heal) button(actions, 'Heal from the log', () => this.#heal(item), this.#kind.name(found));
    button(actions, 'Discard', () => this.#discard(item), this.#kind.name(found)).classList.add('alarm');
    this.#items.set(id, item);
    this.#list.append(item.element);
    return item;
  }

  #remove(id, { element }) {
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    this.#items.delete(id);
    if (hadFocus) this.#section.querySelector('h2').focus();
  }

  // The first press shows what a replay would do, the second one does it.
  #preview(item) {
    return this.#send(item, 'POST', '/replay?dryRun=true', (result) => {
      item.isPreviewed = this.#kind.replay.canApply(result);
      setText(item.replay.firstChild, item.isPreviewed ? 'Replay now' : 'Try again');
      return this.#kind.replay.preview(result);
    });
  }

  #replay(item) {
    return this.#send(item, 'POST', '/replay', (result) => {
      item.isPreviewed = false;
      setText(item.replay.firstChild, 'Replay');
      return this.#kind.replay.result(result);
    });
  }

  #heal(item) {
    return this.#send(item, 'POST', '/heal', this.#kind.heal);
  }

  async #replayAll() {
    if (this.#isReplaying) return;
    const signal = this.#signal;
    this.#isReplaying = true;
    try {
      const { path, all } = this.#kind;
      this.#lastOutcome = await replayAll(this.#api, path, all, (text) => setText(this.#status, text), signal);
    } catch (problem) {
      if (!signal.aborted) this.#lastOutcome = problem.message;
    }
    if (signal.aborted) return;
    this.#isReplaying = false;
    await this.#refresh();
    if (this.#all.hidden) this.#section.querySelector('h2').focus();
  }

  async #discard(item) {
    const question = { title: `Discard ${this.#kind.name(item.found)}?`, text: this.#kind.discard.question(item.found), yes: 'Discard it' };
    if (await ask(question, this.#signal)) await this.#send(item, 'DELETE', '', (result) => this.#kind.discard.result(result ?? {}));
  }

  async #send(item, method, path, describe) {
    if (item.isBusy) return;
    const outcome = item.element.querySelector('.outcome');
    const signal = this.#signal;
    item.isBusy = true;
    this.#lastOutcome = '';
    delete outcome.dataset.state;
    setText(outcome, 'Working');
    try {
      const result = await this.#api.json(this.#kind.address(item.found) + path, { method, signal });
      setText(outcome, describe(result));
      if (path.includes('dryRun')) return;
      // The item may be removed from the list with its outcome, which is therefore shown above the list too.
      this.#lastOutcome = `${this.#kind.name(item.found)}: ${outcome.textContent}`;
      await this.#refresh();
    } catch (problem) {
      if (signal.aborted) return;
      outcome.dataset.state = 'unavailable';
      setText(outcome, problem.message);
    } finally {
      item.isBusy = false;
    }
  }
}

function button(parent, label, action, description) {
  const element = document.createElement('button');
  const text = document.createElement('span');
  element.type = 'button';
  text.textContent = label;
  element.append(text);
  // Several buttons have the same label.
  element.setAttribute('aria-description', description);
  element.addEventListener('click', action);
  parent.append(element);
  return element;
}
