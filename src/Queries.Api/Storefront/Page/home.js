// The start of the shop: the best products in stock, and the largest of the first categories by name.

import { item, link } from './elements.js';
import { categories, largest } from './hints.js';
import { List } from './shop.js';
import { productCard } from './views.js';

const best = 6;
const mostCategories = 20;

export class Home {
  #root;
  #loading;

  constructor(root) {
    this.#root = root;
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

  async #load() {
    const loaded = await Promise.all([this.#loadBest(), this.#loadCategories()]);
    if (loaded.includes(false)) this.#loading = undefined;
  }

  async #loadBest() {
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
    list.replaceChildren(...found);
    this.#root.querySelector('.best').hidden = found.length === 0;
    return isLoaded;
  }

  async #loadCategories() {
    const found = await categories().catch(() => undefined);
    const { first, areAll } = found ?? { first: [] };
    const links = largest(first, mostCategories).map(({ id, name }) => link(`/?categoryId=${id}`, name));
    // The field of the form has them all.
    if (areAll && first.length > mostCategories) links.push(link('#category', 'All categories'));
    this.#root.querySelector('.groups ul').replaceChildren(...links.map((one) => item(one)));
    this.#root.querySelector('.groups').hidden = links.length === 0;
    return found !== undefined;
  }
}
