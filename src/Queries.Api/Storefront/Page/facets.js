// How many products of the list each category, price, rating and stock has; a click sets that filter.

import { item, link } from './elements.js';
import { addressOf } from './filters.js';
import { namesOf } from './hints.js';
import { facets } from './shop.js';
import { money, number } from './views.js';

const mostCategories = 20;

export class Facets {
  #root;
  #filters;
  #place;
  #stop = new AbortController();

  constructor(root, filters) {
    [this.#root, this.#filters] = [root, filters];
    this.#place = root.querySelector('details');
    this.#place.open = matchMedia('(min-width: 64rem)').matches;
  }

  hide() {
    this.#stop.abort();
    this.#root.hidden = true;
  }

  /** Shows the facets of the list with these filters. */
  async show(values) {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    try {
      const { categoryId, sort, ...others } = values;
      const query = { ...others, isActive: true };
      const own = await facets(categoryId ? { ...query, categoryId } : query, signal);
      await this.#show(values, own.categories, own, signal);
      if (!categoryId) return;
      // The categories beside the chosen one are those of the list without this filter. It may be too long for facets.
      const all = await facets(query, signal).catch(() => own);
      await this.#show(values, all.categories, own, signal);
    } catch {
      // The list is complete without them; a list that is too long for them has none.
      if (!signal.aborted) this.#root.hidden = true;
    }
  }

  async #show(values, groups, own, signal) {
    const shown = largest(groups, values.categoryId);
    const names = await namesOf(shown.map(({ id }) => id));
    if (signal.aborted) return;
    this.#filters.addCategories(names);
    this.#draw(values, shown.filter(({ id }) => names.has(id)), own, names);
  }

  #draw(values, groups, { prices, ratings, stock }, names) {
    const focused = this.#root.contains(document.activeElement) ? document.activeElement.textContent : undefined;
    const way = (one) => this.#choice(values, one);
    this.#place.replaceChildren(
      this.#place.querySelector('summary'),
      ...group('Category', groups.map(({ id, count }) =>
        way({ text: names.get(id), count, filters: { categoryId: String(id) } }))),
      ...group('Price', prices.map(({ from, below, count }) => way({ text: range(from, below), count, filters: ends(from, below) }))),
      ...group('Stock', stock.map(({ inStock, count }) => inStock
        ? way({ text: 'In stock', count, filters: { inStock: 'true' } }) : plain('Sold out', count))),
      ...group('Rating', ratings.map(({ stars, count }) => plain(stars ? `${number.format(stars)} stars` : 'No reviews', count))),
    );
    this.#root.hidden = false;
    if (focused) [...this.#place.querySelectorAll('a')].find((one) => one.textContent === focused)?.focus({ preventScroll: true });
  }

  // A filter that is set already is removed by a click.
  #choice(values, { text, count, filters }) {
    const isSet = Object.entries(filters).every(([name, value]) => isSame(values[name], value));
    const addressFrom = (present) => {
      const all = Object.entries({ ...present, ...filters });
      return addressOf(all.filter(([name, value]) => value && !(isSet && name in filters)));
    };
    const element = link(addressFrom(values), text);
    // A filter that was set since then stays.
    element.addEventListener('click', () => (element.href = addressFrom(this.#filters.values)));
    if (isSet) element.ariaCurrent = 'true';
    return item(element, ` ${count.toLocaleString()}`);
  }
}

// The categories with the most products of the list, and the chosen one.
function largest(groups, chosen) {
  return groups.toSorted((a, b) => b.count - a.count)
    .filter(({ id }, index) => index < mostCategories || String(id) === chosen);
}

function group(title, items) {
  if (!items.length) return [];
  const heading = document.createElement('h2');
  const list = document.createElement('ul');
  heading.textContent = title;
  list.role = 'list';
  list.append(...items);
  return [heading, list];
}

// As the form writes it: 25 or 25.00; empty is not set.
function isSame(one, other) {
  return one && other ? one === other || Number(one) === Number(other) : !one && !other;
}

// There is no filter for this value.
function plain(text, count) {
  return item(text, ` ${count.toLocaleString()}`);
}

function range(from, below) {
  return below === null ? `${money(from)} and more` : `${money(from)} to ${money(below - 0.01)}`;
}

function ends(from, below) {
  return { minPrice: String(from), maxPrice: below === null ? '' : (below - 0.01).toFixed(2) };
}
