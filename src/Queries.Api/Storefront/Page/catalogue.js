// The list of products, and the form that asks for it. Its fields are named as the API's parameters are.

import { Feed } from './feed.js';
import { Walk, all } from './shop.js';
import { productCard } from './views.js';

// Whole rows in two to six columns.
const part = 60;
const typingPause = 200;

export class Catalogue {
  #root;
  #form;
  #feed;
  #question;
  #place = 0;
  #left;
  #typing;

  constructor(root) {
    this.#root = root;
    this.#form = root.querySelector('form');
    this.#feed = new Feed(root.querySelector('.feed'), productCard, ['product', 'products', 'No product fits.']);
    this.#form.addEventListener('input', () => this.#soon());
    this.#form.addEventListener('reset', () => this.#soon());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#apply();
    });
    root.addEventListener('click', ({ target }) => (this.#left = target.closest('.card a') ?? this.#left));
    this.#nameCategories();
  }

  /** Of the list as it is asked for now. */
  get address() {
    const search = new URLSearchParams(this.#asked()).toString();
    return search ? `/?${search}` : '/';
  }

  /** Shows the list that the address asks for; the one that was left a moment ago is still there, at its place. */
  show(address) {
    document.title = 'ApexShop';
    this.#root.hidden = false;
    for (const field of this.#fields()) this.#fill(field, address.get(field.name) ?? '');
    if (this.#open()) return;
    scrollTo(0, this.#place);
    this.#left?.focus({ preventScroll: true });
  }

  leave() {
    clearTimeout(this.#typing);
    this.#place = scrollY;
    this.#root.hidden = true;
  }

  #soon() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#apply(), typingPause);
  }

  #apply() {
    clearTimeout(this.#typing);
    history.replaceState(null, '', this.address);
    this.#open();
  }

  // False when this is what the list shows already.
  #open() {
    const question = this.#asked();
    const text = JSON.stringify(question);
    if (text === this.#question) return false;
    this.#question = text;
    scrollTo(0, 0);
    const query = { sort: 'newest', ...question, isActive: true };
    this.#feed.open(new Walk('products', query, part, { isStreamed: true }));
    return true;
  }

  #asked() {
    return Object.fromEntries([...new FormData(this.#form)].filter(([, value]) => value.trim()));
  }

  #fields() {
    return [...this.#form.elements].filter((field) => field.name);
  }

  #fill(field, value) {
    if (field.type === 'checkbox') field.checked = value === field.value;
    else if (field.name === 'categoryId' && value) field.value = this.#category(value).value;
    else field.value = value;
  }

  // A category may be asked for before its name is known.
  #category(id) {
    const { categoryId } = this.#form.elements;
    const known = [...categoryId.options].find((option) => option.value === id);
    if (!known) categoryId.add(new Option(`Category ${id}`, id));
    return known ?? categoryId.options[categoryId.length - 1];
  }

  async #nameCategories() {
    try {
      for await (const { id, name } of all('categories', { sort: 'name', isActive: true })) {
        this.#category(String(id)).textContent = name;
      }
    } catch {
      // Nothing that stops anybody from reading on: who wants to choose a category asks again.
      this.#form.elements.categoryId.addEventListener('focus', () => this.#nameCategories(), { once: true });
    }
  }
}
