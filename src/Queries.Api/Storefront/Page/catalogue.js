// The list of products and its form. The form's fields have the names of the API's parameters.

import { Feed } from './feed.js';
import { List, all } from './shop.js';
import { productCard } from './views.js';

// Full rows in two to six columns.
const pageSize = 60;
const typingPause = 200;

export class Catalogue {
  #root;
  #form;
  #feed;
  #shown;
  #scrolledTo = 0;
  #lastLink;
  #typing;

  constructor(root) {
    this.#root = root;
    this.#form = root.querySelector('form');
    this.#feed = new Feed(root.querySelector('.feed'), productCard, ['product', 'products', 'No product matches.']);
    this.#form.addEventListener('input', () => this.#applyLater());
    this.#form.addEventListener('reset', () => this.#applyLater());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#apply();
    });
    root.addEventListener('click', ({ target }) => (this.#lastLink = target.closest('.card a') ?? this.#lastLink));
    this.#nameCategories();
  }

  /** The address of the current list. */
  get address() {
    const search = new URLSearchParams(this.#filters()).toString();
    return search ? `/?${search}` : '/';
  }

  /** Shows the list of an address; the list that was shown last is still there, scrolled to the same position. */
  show(address) {
    document.title = 'ApexShop';
    this.#root.hidden = false;
    for (const field of this.#fields()) this.#fill(field, address.get(field.name) ?? '');
    if (this.#open()) return;
    scrollTo(0, this.#scrolledTo);
    this.#lastLink?.focus({ preventScroll: true });
  }

  leave() {
    clearTimeout(this.#typing);
    this.#scrolledTo = scrollY;
    this.#root.hidden = true;
  }

  #applyLater() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#apply(), typingPause);
  }

  #apply() {
    clearTimeout(this.#typing);
    history.replaceState(null, '', this.address);
    this.#open();
  }

  // False when the list shows this already.
  #open() {
    const filters = this.#filters();
    const text = JSON.stringify(filters);
    if (text === this.#shown) return false;
    this.#shown = text;
    scrollTo(0, 0);
    const query = { sort: 'newest', ...filters, isActive: true };
    this.#feed.open(new List('products', query, pageSize, { isStreamed: true }));
    return true;
  }

  #filters() {
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

  // The address may contain a category before its name is loaded.
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
      // The page works without names; they are loaded again when the field gets the focus.
      this.#form.elements.categoryId.addEventListener('focus', () => this.#nameCategories(), { once: true });
    }
  }
}
