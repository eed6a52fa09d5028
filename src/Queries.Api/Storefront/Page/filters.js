// The form of the list: its fields as parameters of the API and of the address.

import { categories, namesOf, searchWords } from './hints.js';

export class Filters {
  #form;
  // Of the categories, by id.
  #options = new Map();

  constructor(form) {
    this.#form = form;
  }

  /** The address of the list. */
  get address() {
    return addressOf(this.values);
  }

  /** The parameters that are not empty. */
  get values() {
    const filled = this.#fields().filter(({ type, checked, value }) => (type === 'checkbox' ? checked : value.trim()));
    return Object.fromEntries(filled.map((field) => [field.name, field.type === 'number' ? plain(field.value) : field.value]));
  }

  set values(values) {
    for (const field of this.#fields()) this.#fill(field, values[field.name] ?? '');
  }

  /** What the list depends on: the address, and a mistake that it does not have, such as a price that is no number. */
  get state() {
    return `${this.address} ${this.mistake}`;
  }

  /** Why no product can match, as a sentence; empty when one could. */
  get mistake() {
    const { minPrice, maxPrice } = this.#form.elements;
    for (const { validity } of [minPrice, maxPrice]) {
      if (validity.stepMismatch) return 'A price has at most two digits after the point.';
      if (!validity.valid) return 'A price is a number, and not below 0.';
    }
    const isReversed = minPrice.value && maxPrice.value && Number(minPrice.value) > Number(maxPrice.value);
    return isReversed ? 'The lowest price is above the highest.' : '';
  }

  /** Shows words to search for. */
  async hint() {
    const words = await searchWords().catch(() => []);
    this.#form.elements.q.placeholder = words.join(', ');
  }

  /** Names the categories of the field: all, or in a shop with very many the one that is chosen. */
  async nameCategories() {
    const { categoryId } = this.#form.elements;
    try {
      const { first, areAll } = await categories();
      if (areAll) this.addCategories(first.map(({ id, name }) => [id, name]));
      else if (categoryId.value) this.addCategories(await namesOf([Number(categoryId.value)]));
    } catch {
      // The page works without names; they are loaded again when the field gets the focus.
      categoryId.addEventListener('focus', () => this.nameCategories(), { once: true });
    }
  }

  /** Adds categories to the field that it does not have yet: pairs of id and name. */
  addCategories(pairs) {
    for (const [id, name] of pairs) this.#category(String(id)).textContent = name;
  }

  #fields() {
    return [...this.#form.elements].filter((field) => field.name);
  }

  // Values of an address that no field can have are left out.
  #fill(field, value) {
    if (field.type === 'checkbox') field.checked = value === field.value;
    else if (field.name === 'categoryId') field.value = /^[1-9]\d{0,8}$/.test(value) ? this.#category(value).value : '';
    else field.value = value.slice(0, 200);
    if (field.selectedIndex === -1) field.value = '';
  }

  // The address may contain a category before its name is loaded.
  #category(id) {
    if (!this.#options.has(id)) {
      const option = new Option(`Category ${id}`, id);
      this.#options.set(id, option);
      this.#form.elements.categoryId.add(option);
    }
    return this.#options.get(id);
  }
}

/** The address of the list with these filters. */
export function addressOf(values) {
  const search = new URLSearchParams(values).toString();
  return search ? `/?${search}` : '/';
}

// A number as the API reads it: not 05, .5 or 1e2.
function plain(value) {
  return /^(0|[1-9]\d*)(\.\d+)?$/.test(value) ? value : String(Number(value));
}
