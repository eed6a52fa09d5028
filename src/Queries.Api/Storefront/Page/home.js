// The start of the shop: the best products in stock, and the largest of the first categories by name or, when the
// shopper asks for more, all by name.

import { item, link, showProblem } from './elements.js';
import { allCategories, categories, largest } from './hints.js';
import { List } from './shop.js';
import { productCard } from './views.js';

const best = 6;
const mostCategories = 20;

export class Home {
  #root;
  #loading;
  #loads = 0;
  #groups;
  #more;
  #allCategories;
  #names;
  #naming;

  constructor(root) {
    this.#root = root;
    this.#groups = root.querySelector('.groups');
    this.#more = this.#groups.querySelector('.more');
    this.#more.addEventListener('click', () => (this.#naming ??= this.#nameMore()));
  }

  hide() {
    this.#root.hidden = true;
  }

  /** Loaded once: the list below keeps its place when it is shown again. What the shop refused is loaded again. */
  show() {
    this.#root.hidden = false;
    return (this.#loading ??= this.#load());
  }

  /** It is loaded again when it is shown the next time. */
  expire() {
    this.#loading = undefined;
  }

  // A later load may end before this one, which then shows nothing.
  async #load() {
    const load = ++this.#loads;
    const isLast = () => load === this.#loads;
    const loaded = await Promise.all([this.#loadBest(isLast), this.#loadCategories(isLast)]);
    if (isLast() && loaded.includes(false)) this.#loading = undefined;
  }

  async #loadBest(isLast) {
    const list = this.#root.querySelector('.best ul');
    list.replaceChildren(...Array.from({ length: best }, () => Object.assign(item(), { className: 'skeleton', ariaHidden: 'true' })));
    const found = [];
    let isLoaded = true;
    try {
      const query = { sort: 'rating', inStock: true, isActive: true };
      for await (const product of new List('products', query, best).next()) found.push(productCard(product));
    } catch {
      // The list below shows what is wrong.
      isLoaded = false;
    }
    if (!isLast()) return isLoaded;
    list.replaceChildren(...found);
    this.#root.querySelector('.best').hidden = found.length === 0;
    return isLoaded;
  }

  async #loadCategories(isLast) {
    const found = await categories().catch(() => undefined);
    if (!isLast()) return found !== undefined;
    const { first, areAll } = found ?? { first: [], areAll: true };
    const links = largest(first, mostCategories).map(({ id, name }) => link(`/?categoryId=${id}`, name));
    // The field of the form has them all.
    if (areAll && first.length > mostCategories) links.push(link('#category', 'All categories'));
    this.#allCategories = allCategories();
    this.#names = new Map();
    this.#groups.querySelector('ul').replaceChildren(...links.map((one) => item(one)));
    showProblem(this.#groups.querySelector('.problem'));
    this.#more.hidden = areAll;
    this.#groups.hidden = links.length === 0 && areAll;
    return found !== undefined;
  }

  async #nameMore() {
    const [all, names] = [this.#allCategories, this.#names];
    let problem;
    try {
      // A list that begins again names some of them twice.
      for await (const { id, name } of all.next()) names.set(id, name);
    } catch (error) {
      problem = error;
    }
    this.#naming = undefined;
    // The start was loaded again meanwhile.
    if (all !== this.#allCategories) return;
    showProblem(this.#groups.querySelector('.problem'), problem);
    if (problem) return;
    const links = [...names].map(([id, name]) => item(link(`/?categoryId=${id}`, name)));
    this.#groups.querySelector('ul').replaceChildren(...links);
    this.#more.hidden = !all.hasMore;
  }
}
