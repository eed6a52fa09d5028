// The history of one document from the event log: what was changed, when and by whom. An event has the whole state
// after a change, so each is compared with the one before.

import { el, outcome, panel, run } from './elements.js';
import { time } from './resources.js';

const pageSize = 100;
const hidden = new Set(['id', 'version', 'updatedDate', 'createdDate']);

const words = (value) => (value == null ? 'empty' : typeof value === 'object' ? JSON.stringify(value) : String(value));
const short = (text) => (text.length > 160 ? `${text.slice(0, 160)}...` : text);

export class Changes {
  #shop;
  #subject;
  #signal;
  #last = {};
  #after = 0;
  #list = el('ol', { className: 'history', role: 'list', 'aria-label': 'Changes, the latest first' });
  #outcome = outcome();
  #button = el('button', { type: 'button' }, 'Show the history');

  constructor(shop, subject, signal) {
    [this.#shop, this.#subject, this.#signal] = [shop, subject, signal];
    this.#button.addEventListener('click', () => run(this.#outcome, this.#button, () => this.#next()));
    this.element = panel('History', this.#button, this.#outcome, this.#list);
  }

  // Pages follow each other from the first event; the latest is shown first.
  async #next() {
    const events = await this.#shop.events(this.#subject, this.#after, pageSize, this.#signal);
    const broken = events.find((event) => event.error);
    if (broken) throw new Error(`The history is incomplete (${broken.error.code}). Try again.`);
    for (const event of events) this.#add(event);
    this.#button.textContent = 'Show later changes';
    this.#button.hidden = events.length < pageSize;
    this.#outcome.say(events.length || this.#after ? '' : 'There are no events of it.');
  }

  #add({ sequence, type, time: when, actor, data }) {
    const names = [...new Set([...Object.keys(this.#last), ...Object.keys(data)])].filter((name) => !hidden.has(name));
    const isFirst = !this.#after;
    // The log does not have the creation any more: the values of this event are not those of one change.
    const isIncomplete = isFirst && data.version > 1;
    const changed = isIncomplete || type.endsWith('.deleted') ? []
      : names.filter((name) => words(this.#last[name]) !== words(data[name]));
    if (isIncomplete) this.#list.append(el('li', { className: 'quiet' }, 'Earlier changes are no longer in the log.'));
    this.#list.prepend(el('li', {},
      el('p', { className: 'row' }, el('strong', {}, type.split('.').at(-1)),
        el('time', { dateTime: when }, time(when)), el('span', { className: 'quiet' }, actor ? `by ${actor}` : '')),
      el('ul', { role: 'list' }, changed.map((name) => el('li', {}, el('b', {}, name), ': ',
        !isFirst && [el('del', {}, short(words(this.#last[name]))), ' ', '\u2192', ' '],
        el('ins', {}, short(words(data[name]))))))));
    [this.#last, this.#after] = [data, Number(sequence)];
  }
}
