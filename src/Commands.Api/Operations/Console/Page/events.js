// The latest events, newest first, each with all its data in a dialog. Under load, only the events that are shown are
// parsed.

import { copyTemplate, setText } from './format.js';

const maxRows = 50;
const detail = document.getElementById('event-detail');
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export class Events {
  #rows;
  #status;
  #button;
  #waiting = [];
  #isScheduled = false;

  constructor(section) {
    this.#rows = section.querySelector('tbody');
    this.#status = section.querySelector('.status');
    this.#button = section.querySelector('button');
    this.#button.addEventListener('click', () => this.#togglePause());
    detail.addEventListener('close', () => showDetail('', ''));
  }

  /** Adds an event, which is a line of JSON. */
  add(event) {
    this.#waiting.push(event);
    if (this.#waiting.length > maxRows) this.#waiting.shift();
    this.#render();
  }

  setStatus(text) {
    setText(this.#status, text);
  }

  clear() {
    this.#waiting = [];
    this.#rows.replaceChildren();
    this.setStatus('');
  }

  #render() {
    if (this.#isScheduled || this.#isPaused) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      if (this.#isPaused) return;
      for (const text of this.#waiting) this.#rows.prepend(row(text));
      this.#waiting = [];
      while (this.#rows.children.length > maxRows) this.#rows.lastElementChild.remove();
    }, 100);
  }

  get #isPaused() {
    return this.#button.ariaPressed === 'true';
  }

  #togglePause() {
    this.#button.ariaPressed = String(!this.#isPaused);
    this.#render();
  }
}

function row(text) {
  const event = read(text);
  const item = copyTemplate('event');
  const when = item.querySelector('time');
  setText(item.querySelector('.position'), String(Number(event.sequence ?? 0)));
  const button = item.querySelector('button');
  setText(button, shortType(event));
  // Many rows have the same type.
  button.setAttribute('aria-description', event.subject ?? '');
  button.addEventListener('click', () => openDetail(event));
  setText(item.querySelector('.subject'), event.subject);
  setText(item.querySelector('.summary'), summary(event));
  if (event.time) {
    when.dateTime = event.time;
    when.textContent = time.format(new Date(event.time));
  }
  return item;
}

function openDetail(event) {
  showDetail(`${shortType(event)} of ${event.subject}`, JSON.stringify(event, null, 2));
  detail.showModal();
}

function showDetail(title, data) {
  setText(detail.querySelector('h2'), title);
  setText(detail.querySelector('pre'), data);
}

const shortType = ({ type = '' }) => type.replace(/^apexshop\./, '');

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { type: 'unreadable', data: text };
  }
}

// Personal data of users is shown only in the detail.
function summary({ subject = '', data = {} }) {
  if (subject.startsWith('products/') || subject.startsWith('categories/')) return data.name;
  if (subject.startsWith('orders/')) return data.status;
  return subject.startsWith('reviews/') && data.rating ? `${data.rating} of 5` : '';
}
