// The images of a product, in the order in which they are shown.

import { el, labelled, numberOf } from './elements.js';

const members = [['url', 'URL'], ['alt', 'Text in place of it'], ['width', 'Width'], ['height', 'Height']];

export class ImageList {
  #list = el('div', { className: 'images' });

  constructor() {
    this.element = el('div', {}, this.#list,
      el('button', { type: 'button', onclick: () => this.#add({}).querySelector('input').focus() }, 'Add an image'));
  }

  get value() {
    return Array.from(this.#list.children, (item) => {
      const text = (name) => item.querySelector(`[name=${name}]`).value.trim();
      const number = (name) => (text(name) ? numberOf(text(name)) : null);
      return { url: text('url'), alt: text('alt') || null, width: number('width'), height: number('height') };
    });
  }

  set value(images) {
    this.#list.replaceChildren();
    for (const image of images) this.#add(image);
  }

  #add(image) {
    const controls = members.map(([name, title]) =>
      labelled(title, el('input', { name, value: image[name] ?? '', autocomplete: 'off' })));
    const item = el('div', { role: 'group', 'aria-label': 'Image' }, controls,
      el('button', { type: 'button', onclick: () => this.#moveUp(item) }, 'Move up'),
      el('button', { type: 'button', onclick: () => this.#remove(item) }, 'Remove'));
    this.#list.append(item);
    return item;
  }

  // A moved element loses the focus, so the one above it is moved instead.
  #moveUp(item) {
    const above = item.previousElementSibling;
    if (above) item.after(above);
  }

  #remove(item) {
    item.remove();
    this.element.lastElementChild.focus();
  }
}
