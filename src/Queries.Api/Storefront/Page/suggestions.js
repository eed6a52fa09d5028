// A list of suggestions below the search field: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/

import { suggestions } from './shop.js';

const typingPause = 100;

export class Suggestions {
  #field;
  #list;
  #timer;
  #request;
  #chosen = -1;

  constructor(field, list) {
    this.#field = field;
    this.#list = list;
    field.addEventListener('input', () => this.#showLater());
    field.addEventListener('keydown', (event) => this.#press(event));
    field.addEventListener('blur', () => this.#close());
    // The field keeps the focus.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', ({ target }) => this.#take(target.closest('li')));
  }

  get #options() {
    return [...this.#list.children];
  }

  #showLater() {
    this.#close();
    this.#timer = setTimeout(() => this.#show(this.#field.value.trim()), typingPause);
  }

  async #show(typed) {
    if (!typed) return;
    const { signal } = (this.#request = new AbortController());
    // The search works without them.
    const texts = await suggestions(typed, signal).catch(() => []);
    const others = texts.filter((text) => text !== typed.toLowerCase());
    if (signal.aborted || others.length === 0) return;
    this.#list.replaceChildren(...others.map(option));
    this.#list.hidden = false;
    this.#field.ariaExpanded = 'true';
  }

  #close() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#list.hidden = true;
    this.#field.ariaExpanded = 'false';
    this.#choose(-1);
  }

  #press(event) {
    const isTaken = event.key === 'Enter' && this.#chosen >= 0;
    // The text is searched as it is: suggestions that arrive later are not shown.
    if (event.key === 'Enter' && !isTaken) this.#close();
    if (this.#list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#choose(this.#chosen + step);
    else if (isTaken) this.#take(this.#options[this.#chosen]);
    else if (event.key === 'Escape') this.#close();
    if (step || isTaken || event.key === 'Escape') event.preventDefault();
  }

  // Before the first option and after the last one is the text that was typed.
  #choose(at) {
    const options = this.#options;
    this.#chosen = at < -1 ? options.length - 1 : at === options.length ? -1 : at;
    options.forEach((one, index) => (one.ariaSelected = String(index === this.#chosen)));
    const { id } = options[this.#chosen] ?? {};
    if (id) this.#field.setAttribute('aria-activedescendant', id);
    else this.#field.removeAttribute('aria-activedescendant');
  }

  #take(chosen) {
    if (!chosen) return;
    this.#field.value = chosen.textContent;
    this.#close();
    this.#field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

function option(text, index) {
  const element = document.createElement('li');
  Object.assign(element, { id: `suggestion-${index}`, role: 'option', ariaSelected: 'false', textContent: text });
  return element;
}
