// The orders of the customer.

import { account } from './account.js';
import { Feed } from './feed.js';
import { List } from './shop.js';
import { purchaseItem } from './views.js';

export class Purchases {
  #root;
  #feed;
  #placed;

  constructor(root) {
    this.#root = root;
    this.#feed = new Feed(root.querySelector('.feed'), purchaseItem, ['order', 'orders', 'No orders yet.']);
    account.addEventListener('change', () => {
      // The next customer has not placed it.
      if (this.#root.hidden) this.#placed = undefined;
      else this.#open();
    });
  }

  /** The order that was just placed: { id, token }; the token makes the list wait until it has the order. */
  set placed(order) {
    this.#placed = order;
    if (!this.#root.hidden) this.#open();
  }

  show() {
    document.title = 'My orders - ApexShop';
    this.#root.hidden = false;
    scrollTo(0, 0);
    this.#root.querySelector('h1').focus({ preventScroll: true });
    this.#open();
  }

  leave() {
    this.#feed.close();
    this.#root.hidden = true;
  }

  #open() {
    const { customer, headers } = account;
    const placed = this.#placed;
    this.#placed = undefined;
    this.#root.querySelector('.first').hidden = Boolean(customer);
    this.#root.querySelector('.placed').textContent = placed ? `Thank you. Order ${placed.id} is placed.` : '';
    this.#feed.close();
    if (!customer) return;
    const first = placed ? { ...headers, 'consistency-token': placed.token } : headers;
    this.#feed.open(new OwnOrders('orders', { sort: 'newest' }, 20, { headers: first }));
  }
}

class OwnOrders extends List {
  // When the shop no longer accepts the token, the view shows the link to sign in.
  async *next(signal) {
    try {
      yield* super.next(signal);
    } catch (problem) {
      if (problem.status === 401) account.signOut();
      throw problem;
    }
  }
}
