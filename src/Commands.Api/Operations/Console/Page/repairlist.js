// One list of what waits: kept in step with the shop, item by item, so that an outcome and the focus stay where they are.

import { copy, many, set, silence } from './words.js';

const shown = 50;
const looksBetween = 5;

export class RepairList {
  #section;
  #status;
  #list;
  #kind;
  #confirm;
  #items = new Map();
  #api;
  #signal;
  #count;
  #looks = 0;
  #said = '';
  #isAsking = false;

  constructor(section, kind, confirm) {
    this.#section = section;
    this.#status = section.querySelector('.status');
    this.#list = section.querySelector('.repairs');
    this.#kind = kind;
    this.#confirm = confirm;
  }

  open(api, signal) {
    [this.#api, this.#signal, this.#count, this.#looks] = [api, signal, undefined, 0];
    this.#items.clear();
    this.#list.replaceChildren();
    this.#said = '';
    set(this.#status, '');
  }

  /** So many there are said to be. */
  expect(count) {
    const isSame = count === this.#count && (!count || ++this.#looks < looksBetween);
    if (isSame || this.#isAsking) return;
    [this.#count, this.#looks] = [count, 0];
    this.#refresh();
  }

  /** It cannot be told now. */
  lose(state) {
    this.#count = undefined;
    set(this.#status, `${silence(state, 'The Projector', 'admin')}.`);
  }

  async #refresh() {
    this.#isAsking = true;
    const signal = this.#signal;
    try {
      const { items, next } = await this.#api.json(`${this.#kind.path}?limit=${shown}`, { signal });
      if (!signal.aborted) this.#show(items, next);
    } catch (problem) {
      if (signal.aborted) return;
      this.#count = undefined;
      set(this.#status, problem.message);
    } finally {
      this.#isAsking = false;
    }
  }

  #show(items, next) {
    const [one, more, none] = this.#kind.words;
    const count = !items.length ? none : next == null ? many(items.length, one, more) : `The first ${many(items.length, one, more)}`;
    const ids = new Set(items.map(this.#kind.id));
    for (const [id, item] of this.#items) if (!ids.has(id)) this.#remove(id, item);
    for (const found of items) this.#put(found);
    set(this.#status, `${this.#said} ${count}`.trim());
  }

  #put(found) {
    const id = this.#kind.id(found);
    const item = this.#items.get(id) ?? this.#add(id, found);
    item.found = found;
    set(item.place.querySelector('.name'), this.#kind.name(found));
    set(item.place.querySelector('.facts'), this.#kind.facts(found));
    set(item.place.querySelector('.reason'), this.#kind.reason(found));
  }

  #add(id, found) {
    const item = { place: copy('repair'), found, isBusy: false };
    const actions = item.place.querySelector('.actions');
    item.replay = button(actions, 'Replay', () => (item.isTried ? this.#replay(item) : this.#try(item)), this.#kind.name(found));
    if (this.#kind.heal) button(actions, 'Heal from the log', () => this.#heal(item), this.#kind.name(found));
    button(actions, 'Discard', () => this.#discard(item), this.#kind.name(found)).classList.add('alarm');
    this.#items.set(id, item);
    this.#list.append(item.place);
    return item;
  }

  #remove(id, { place }) {
    const hadFocus = place.contains(document.activeElement);
    place.remove();
    this.#items.delete(id);
    if (hadFocus) this.#section.querySelector('h2').focus();
  }

  // What would happen is shown first, and done at a second press.
  #try(item) {
    return this.#do(item, 'POST', '/replay?dryRun=true', (result) => {
      item.isTried = this.#kind.replay.can(result);
      set(item.replay.firstChild, item.isTried ? 'Replay now' : 'Try again');
      return this.#kind.replay.would(result);
    });
  }

  #replay(item) {
    return this.#do(item, 'POST', '/replay', (result) => {
      item.isTried = false;
      set(item.replay.firstChild, 'Replay');
      return this.#kind.replay.done(result);
    });
  }

  #heal(item) {
    return this.#do(item, 'POST', '/heal', this.#kind.heal);
  }

  async #discard(item) {
    const question = { title: `Discard ${this.#kind.name(item.found)}?`, words: this.#kind.discard.ask(item.found), yes: 'Discard it' };
    if (await this.#confirm(question)) await this.#do(item, 'DELETE', '', (result) => this.#kind.discard.done(result ?? {}));
  }

  async #do(item, method, path, words) {
    if (item.isBusy) return;
    const outcome = item.place.querySelector('.outcome');
    const signal = this.#signal;
    item.isBusy = true;
    this.#said = '';
    delete outcome.dataset.state;
    set(outcome, 'One moment');
    try {
      const result = await this.#api.json(this.#kind.address(item.found) + path, { method, signal });
      set(outcome, words(result));
      if (path.includes('dryRun')) return;
      // What is gone from the list takes its outcome with it: it is said above.
      this.#said = `${this.#kind.name(item.found)}: ${outcome.textContent}`;
      await this.#refresh();
    } catch (problem) {
      if (signal.aborted) return;
      outcome.dataset.state = 'unavailable';
      set(outcome, problem.message);
    } finally {
      item.isBusy = false;
    }
  }
}

function button(place, label, act, of) {
  const element = document.createElement('button');
  const words = document.createElement('span');
  element.type = 'button';
  words.textContent = label;
  element.append(words);
  // Several stand on the page with the same word.
  element.setAttribute('aria-description', of);
  element.addEventListener('click', act);
  place.append(element);
  return element;
}
