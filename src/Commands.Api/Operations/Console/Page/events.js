// The latest events, the newest first. Many may come at once: only what is shown is read.

import { copy, set } from './words.js';

const kept = 50;
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export class Events {
  #rows;
  #status;
  #button;
  #waiting = [];
  #isDue = false;

  constructor(section) {
    this.#rows = section.querySelector('tbody');
    this.#status = section.querySelector('.status');
    this.#button = section.querySelector('button');
    this.#button.addEventListener('click', () => this.#hold());
  }

  take(events) {
    this.#waiting = [...this.#waiting, ...events].slice(-kept);
    this.#show();
  }

  say(words) {
    set(this.#status, words);
  }

  clear() {
    this.#waiting = [];
    this.#rows.replaceChildren();
    this.say('');
  }

  #show() {
    if (this.#isDue || this.#isHeld) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      if (this.#isHeld) return;
      for (const { text } of this.#waiting) this.#rows.prepend(row(text));
      this.#waiting = [];
      while (this.#rows.children.length > kept) this.#rows.lastElementChild.remove();
    }, 100);
  }

  get #isHeld() {
    return this.#button.ariaPressed === 'true';
  }

  #hold() {
    this.#button.ariaPressed = String(!this.#isHeld);
    this.#show();
  }
}

function row(text) {
  const event = read(text);
  const item = copy('event');
  const when = item.querySelector('time');
  set(item.querySelector('.position'), String(Number(event.sequence ?? 0)));
  set(item.querySelector('.type'), (event.type ?? '').replace(/^apexshop\./, ''));
  set(item.querySelector('.subject'), event.subject);
  set(item.querySelector('.what'), what(event));
  if (event.time) {
    when.dateTime = event.time;
    when.textContent = time.format(new Date(event.time));
  }
  return item;
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { type: 'unreadable' };
  }
}

// Who a user is, an operator need not see.
function what({ subject = '', data = {} }) {
  if (subject.startsWith('products/') || subject.startsWith('categories/')) return data.name;
  if (subject.startsWith('orders/')) return data.status;
  return subject.startsWith('reviews/') && data.rating ? `${data.rating} of 5` : '';
}
