// The list of products and its form. The form's fields have the names of the API's parameters.

import { EmptyList } from './empty.js';
import { Facets } from './facets.js';
import { Feed } from './feed.js';
import { Filters } from './filters.js';
import { Home } from './home.js';
import { List } from './shop.js';
import { Suggestions } from './suggestions.js';
import { productCard } from './views.js';

// Full rows in two to six columns.
const pageSize = 60;
// A longer list is restored up to here.
const mostRestored = 1200;
const typingPause = 200;
const scrollPause = 200;

export class Catalogue {
  #root;
  #filters;
  #feed;
  #empty;
  #home;
  #facets;
  #shown;
  #state;
  #isOld = false;
  #opening;
  #lastLink;
  #edited;
  #timer;
  #scrollTimer;

  constructor(root) {
    this.#root = root;
    const form = root.querySelector('form');
    this.#filters = new Filters(form);
    const words = ['product', 'products', 'No products found.'];
    this.#feed = new Feed(root.querySelector('.feed'), productCard, words, () => this.#showEmpty());
    this.#empty = new EmptyList(root.querySelector('.empty'), this.#filters, (values) => this.#replaceFilters(values));
    this.#home = new Home(root.querySelector('#home'));
    this.#facets = new Facets(root.querySelector('#facets'), this.#filters);
    new Suggestions(form.elements.q, root.querySelector('#suggestions'));
    form.addEventListener('input', ({ target }) => this.#applyLater(target));
    // The end of an edit: the next edit of the same field is another step back.
    form.addEventListener('change', ({ target }) => this.#apply(target, { isEnd: true }));
    form.addEventListener('reset', () => this.#applyLater());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#apply(undefined);
    });
    root.addEventListener('click', ({ target }) => (this.#lastLink = target.closest('.card a') ?? this.#lastLink));
    addEventListener('scroll', () => this.#keepPlaceLater());
    // Before a reload. In the later pagehide the browser ignores a change of the history.
    addEventListener('beforeunload', () => this.keepPlace());
  }

  /** Shows the list of an address, at its place if it was shown before. */
  show(address, place) {
    document.title = 'ApexShop';
    this.#root.hidden = false;
    this.#edited = undefined;
    this.#filters.values = Object.fromEntries(address);
    this.#filters.nameCategories();
    this.#open(place?.address === this.#filters.address ? place : undefined);
  }

  /** The list is read again when it is shown the next time. */
  expire() {
    this.#isOld = true;
    this.#home.expire();
  }

  leave() {
    clearTimeout(this.#timer);
    clearTimeout(this.#scrollTimer);
    this.#root.hidden = true;
  }

  /** Stores the place in the entry of the history. */
  keepPlace() {
    clearTimeout(this.#scrollTimer);
    if (this.#root.hidden || this.#opening) return;
    history.replaceState({ list: { address: this.#shown, count: this.#feed.count, top: scrollY } }, '');
  }

  #keepPlaceLater() {
    clearTimeout(this.#scrollTimer);
    this.#scrollTimer = setTimeout(() => this.keepPlace(), scrollPause);
  }

  #applyLater(field) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(field), typingPause);
  }

  // The letters of one search are one step back, not one each.
  #apply(field, { isEnd = false } = {}) {
    clearTimeout(this.#timer);
    const { address, state } = this.#filters;
    if (this.#shown !== address) {
      const entry = { list: { address, count: 0, top: 0 } };
      if (field && field === this.#edited) history.replaceState(entry, '', address);
      else this.#push(entry);
      this.#edited = field;
    }
    if (this.#state !== state) this.#open();
    if (isEnd) this.#edited = undefined;
  }

  #push(entry) {
    this.keepPlace();
    history.pushState(entry, '', entry.list.address);
  }

  #replaceFilters(values) {
    this.#filters.values = values;
    this.#apply();
    // The button that was pressed is gone.
    document.getElementById('main').focus({ preventScroll: true });
  }

  async #open(place) {
    const { address, state } = this.#filters;
    if (this.#state === state && !this.#isOld) {
      scrollTo(0, place?.top ?? 0);
      if (place) this.#lastLink?.focus({ preventScroll: true });
      return;
    }
    [this.#shown, this.#state, this.#isOld] = [address, state, false];
    const opening = Symbol('opening');
    this.#opening = opening;
    scrollTo(0, 0);
    this.#empty.hide();
    const count = Math.max(pageSize, Math.min(place?.count ?? 0, mostRestored));
    await Promise.all([this.#load(count), this.#showAround(address)]);
    // Meanwhile another list was opened, or this list again.
    if (this.#opening !== opening) return;
    this.#opening = undefined;
    // Unless the reader has scrolled meanwhile.
    if (place && !this.#root.hidden && scrollY === 0) scrollTo(0, place.top);
    this.#filters.hint();
  }

  // At the end of each load, also of one that was tried again.
  #showEmpty() {
    if (this.#feed.isEmpty) this.#empty.show();
  }

  // What is above the list before its place is restored; what is beside it may be late.
  #showAround(address) {
    if (this.#filters.mistake) this.#facets.hide();
    else this.#facets.show(this.#filters.values);
    if (address === '/') return this.#home.show();
    this.#home.hide();
  }

  #load(first) {
    if (this.#filters.mistake) return this.#feed.open({ hasMore: false });
    const query = { sort: 'newest', ...this.#filters.values, isActive: true };
    return this.#feed.open(new List('products', query, pageSize, { first }));
  }
}
