// One product with its reviews.

import { Feed } from './feed.js';
import { List, one } from './shop.js';
import { reviewItem, showProduct } from './views.js';

export class Product {
  #root;
  #reviews;
  #path;
  #given = givenDocument();
  #stop;

  constructor(root) {
    this.#root = root;
    this.#reviews = new Feed(root.querySelector('.feed'), reviewItem, ['review', 'reviews', 'No reviews yet.']);
    this.#find('.problem button').addEventListener('click', () => this.#load());
  }

  /** The address of the link back to the list. */
  set back(address) {
    this.#find('.back').href = address;
  }

  show(address) {
    const { pathname } = location;
    const isNamed = pathname.toLowerCase().startsWith('/p/');
    this.#path = isNamed ? `by-slug/${pathname.slice('/p/'.length)}` : Number.parseInt(address.get('product'), 10) || 0;
    this.#root.hidden = false;
    scrollTo(0, 0);
    this.#load();
  }

  leave() {
    this.#stop.abort();
    this.#reviews.close();
    this.#root.hidden = true;
    // They describe the first page only.
    for (const one of document.querySelectorAll('[rel=canonical], [type="application/ld+json"]')) one.remove();
  }

  async #load() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#find('.problem').hidden = true;
    const given = this.#given;
    this.#given = undefined;
    if (given) return this.#fill(given);
    this.#root.dataset.state = 'loading';
    try {
      this.#fill(await one('products', this.#path, signal));
    } catch (problem) {
      if (!signal.aborted) this.#fail(problem);
    }
  }

  #fill(product) {
    showProduct(this.#root, product);
    const category = this.#find('.category');
    category.textContent = product.category.name ?? '';
    category.href = `/?categoryId=${product.category.id}`;
    this.#find('.description').textContent = product.description ?? '';
    this.#root.dataset.state = 'ready';
    this.#reviews.open(new List('reviews', { productId: product.id, sort: 'newest' }, 20));
    document.title = `${product.name} - ApexShop`;
    this.#find('h1').focus({ preventScroll: true });
  }

  #fail({ message, status }) {
    const isMissing = status === 404 || status === 400;
    this.#reviews.close();
    this.#root.dataset.state = 'failed';
    document.title = 'ApexShop';
    this.#find('h1').textContent = isMissing ? 'This product is not in the shop' : 'This product cannot be shown now';
    this.#find('.problem p').textContent = isMissing ? 'It may have been removed.' : message;
    this.#find('.problem button').hidden = isMissing;
    this.#find('.problem').hidden = false;
    this.#find('h1').focus({ preventScroll: true });
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }
}

// The page of a product contains its document, so that the first view needs no further request.
function givenDocument() {
  const text = document.getElementById('document').textContent;
  return text ? JSON.parse(text) : undefined;
}
