// What the page offers when the list is empty: the same list without a filter, and what there is.

import { item, link } from './elements.js';
import { categories, largest, searchWords } from './hints.js';

const mostCategories = 6;

const ways = [
  { names: ['q'], text: ({ q }) => `Without \u201c${q}\u201d` },
  { names: ['categoryId'], text: () => 'In every category' },
  { names: ['minPrice', 'maxPrice'], text: () => 'At every price' },
  { names: ['inStock'], text: () => 'Also when sold out' },
];
const everything = { names: ways.flatMap(({ names }) => names), text: () => 'Show all products' };

export class EmptyList {
  #root;
  #filters;
  #choose;

  /** `choose` is called with the values that the filters shall have. */
  constructor(root, filters, choose) {
    [this.#root, this.#filters, this.#choose] = [root, filters, choose];
  }

  hide() {
    this.#root.hidden = true;
  }

  show() {
    const { values, mistake } = this.#filters;
    const used = ways.filter(({ names }) => names.some((name) => name in values));
    const offered = used.length > 1 ? [...used, everything] : used.length ? [everything] : [];
    const advice = used.length > 1 ? 'Try it with fewer filters.' : 'Try something else.';
    this.#find('.words').textContent = mistake || (used.length ? advice : 'The shop has no products yet.');
    this.#find('.ways').replaceChildren(...offered.map((way) => item(this.#button(way, values))));
    this.#root.hidden = false;
    this.#link();
  }

  async #link() {
    const [words, { first }] = await Promise.all(
      [searchWords().catch(() => []), categories().catch(() => ({ first: [] }))]);
    const links = [
      ...largest(first, mostCategories).map(({ id, name }) => link(`/?categoryId=${id}`, name)),
      ...words.map((word) => link(`/?q=${encodeURIComponent(word)}`, `\u201c${word}\u201d`)),
    ];
    this.#find('.elsewhere').hidden = links.length === 0;
    this.#find('.links').replaceChildren(...links.map((one) => item(one)));
  }

  #button({ names, text }, values) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text(values);
    const kept = Object.entries(values).filter(([name]) => !names.includes(name));
    button.addEventListener('click', () => this.#choose(Object.fromEntries(kept)));
    return button;
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }
}
