// The images of a product, in the order in which they are shown.

import { el, labelled, numberOf } from './elements.js';

const members = [['url', 'URL'], ['alt', 'Text in place of it'], ['width', 'Width'], ['height', 'Height']];

export class ImageList {
  #list = el('ol', { className: 'images', role: 'list' });

  constructor() {
    this.element = el('div', {}, this.#list,
      el('button', { type: 'button', onclick: () => this.#add({}).querySelector('input').focus() }, 'Add an image'));
  }

  get value() {
    return Array.from(this.#list.children, (item) => {
      const text = (name) => item.querySelector(`[name=${name}]`).value.trim();
      const numbers = { width: numberOf(text('width')), height: numberOf(text('height')) };
      return { url: text('url'), alt: text('alt') || null, ...numbers };
    });
  }

  set value(images) {
    this.#list.replaceChildren();
    for (const image of images) this.#add(image);
  }

  #add(image) {
    const controls = members.map(([name, title]) =>
      labelled(title, el('input', { name, value: image[name] ?? '', autocomplete: 'off' })));
    const item = el('li', { role: 'group', 'aria-label': 'Image' }, controls,
      el('button', { type: 'button', onclick: () => item.previousElementSibling?.before(item) }, 'Move up'),
      el('button', { type: 'button', onclick: () => this.#remove(item) }, 'Remove'));
    this.#list.append(item);
    return item;
  }

  #remove(item) {
    item.remove();
    this.element.lastElementChild.focus();
  }
}
