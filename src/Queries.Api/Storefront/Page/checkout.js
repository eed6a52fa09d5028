// The cart as a view: its lines with today's prices and stock, and the order.

import { account } from './account.js';
import { announce } from './adding.js';
import { cart } from './cart.js';
import { copy, showProblem } from './elements.js';
import {
  compare, ended, isForeign, isRecent, isRepeatable, isRunning, newOrder, place, removeOldDetails, unknownResponse,
} from './ordering.js';
import { money } from './views.js';

export class Checkout {
  #root;
  #form;
  #placed;
  #notes = new Map();
  #isBusy = false;
  // The key of the order for whose response no tab waits any more.
  #lost;
  // The problem of an order that the customer has not seen in this view.
  #unseen;

  /** `placed` is called with the order, { id, token }, and whether the cart is still shown. */
  constructor(root, placed) {
    [this.#root, this.#form, this.#placed] = [root, root.querySelector('form'), placed];
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#order();
    });
    // Enter in a quantity stores it; only the button orders.
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.target.name !== 'quantity') return;
      event.preventDefault();
      this.#setQuantity(event.target);
    });
    this.#form.addEventListener('change', ({ target }) => this.#setQuantity(target));
    this.#form.addEventListener('click', ({ target }) => target.matches('.remove') && this.#remove(target));
    this.#find('.unlock').addEventListener('click', () => this.#unlock());
    for (const one of [cart, account]) one.addEventListener('change', () => this.#root.hidden || this.#follow());
  }

  async show() {
    document.title = 'Cart - ApexShop';
    this.#root.hidden = false;
    this.#notes.clear();
    scrollTo(0, 0);
    this.#find('h1').focus({ preventScroll: true });
    // The response is among the orders of the other customer.
    const { order } = cart;
    if (order && isForeign(order) && !isRecent(order)) cart.giveUp(order);
    removeOldDetails();
    this.#lost = undefined;
    this.#say(this.#unseen);
    this.#unseen = undefined;
    this.#follow();
    // The message about an order without a response must stay: a repetition needs no comparison.
    await this.#check().catch((problem) => cart.order || this.#say(problem));
  }

  leave() {
    this.#root.hidden = true;
  }

  // The order may be running, in this tab or another: then its end is waited for.
  async #follow() {
    const { order } = cart;
    // Another tab has repeated the order, and it has a response.
    if (!order && this.#lost) {
      this.#lost = undefined;
      this.#say();
    }
    this.#draw();
    if (!order || this.#isBusy) return;
    if (order.key === this.#lost) {
      if (!canRepeat(order)) this.#say(new Error(unknownResponse(order)));
      return;
    }
    if (await isRunning(order)) this.#say(new Error('The order is being placed. Wait for its response.'));
    await ended(order);
    const isLost = cart.order?.key === order.key;
    if (isLost) this.#lost = order.key;
    this.#say(isLost && new Error(unknownResponse(order)));
    this.#draw();
  }

  #draw() {
    const { lines, order } = cart;
    const isLost = order && order.key === this.#lost;
    const mayBeRepeated = isLost && canRepeat(order);
    this.#drawLines(lines);
    this.#find('.status').textContent = lines.length ? '' : 'The cart is empty.';
    this.#form.hidden = lines.length === 0;
    this.#find('.total strong').textContent = money(lines.reduce((sum, line) => sum + cents(line), 0) / 100, lines[0]?.currency);
    this.#find('fieldset').disabled = Boolean(order) || this.#isBusy;
    this.#find('.unlock').hidden = !isLost;
    // When it cannot be repeated, the problem itself says what to do.
    this.#find('.before-unlock').hidden = !mayBeRepeated;
    this.#find('.first').hidden = Boolean(account.customer);
    this.#find('.main').disabled = this.#isBusy || !account.customer || Boolean(order && !mayBeRepeated);
  }

  // Elements stay in place, and with them the focus.
  #drawLines(lines) {
    const list = this.#find('.lines');
    const old = new Map([...list.children].map((element) => [Number(element.dataset.id), element]));
    for (const line of lines) {
      if (!old.has(line.id)) list.append(copy('cart-line'));
      this.#drawLine(old.get(line.id) ?? list.lastElementChild, line);
      old.delete(line.id);
    }
    for (const element of old.values()) {
      if (element.contains(document.activeElement)) this.#find('h1').focus();
      element.remove();
    }
  }

  #drawLine(element, { id, name, address, price, currency, quantity }) {
    const note = element.querySelector('.note');
    element.dataset.id = String(id);
    element.querySelector('.name').textContent = name;
    element.querySelector('.name').href = address;
    element.querySelector('.each').textContent = `${money(price, currency)} each`;
    const field = element.querySelector('input');
    // What is typed at this moment stays.
    if (field !== document.activeElement || field.value === field.dataset.drawn) field.value = String(quantity);
    field.dataset.drawn = String(quantity);
    field.ariaLabel = `Quantity: ${name}`;
    element.querySelector('.sum').textContent = money(cents({ price, quantity }) / 100, currency);
    element.querySelector('.remove').ariaLabel = `Remove: ${name}`;
    note.textContent = this.#notes.get(id) ?? '';
    note.hidden = !this.#notes.has(id);
  }

  // Compares the lines with the current products; returns whether a line has a note.
  async #check() {
    this.#notes.clear();
    for (const [id, words] of await compare(cart.lines)) this.#notes.set(id, words);
    this.#draw();
    return this.#notes.size > 0;
  }

  async #order() {
    this.#isBusy = true;
    this.#say();
    this.#draw();
    try {
      if (!cart.order && (await this.#check()))
        throw new Error('The cart has changed. Look at it, then order again.');
      if (cart.order && !canRepeat(cart.order)) throw new Error(unknownResponse(cart.order));
      if (!cart.order && !account.customer) account.end();
      // An order that is there already is repeated.
      const placed = await place(cart.order ?? newOrder(this.#form.elements.address.value));
      this.#form.reset();
      this.#placed(placed, !this.#root.hidden);
    } catch (problem) {
      if (problem.code?.startsWith('product.')) await this.#check().catch(() => {});
      this.#say(problem);
      this.#announce(problem);
    } finally {
      this.#isBusy = false;
      this.#lost = cart.order?.key;
      this.#draw();
      // A button that is disabled loses the focus.
      if (document.activeElement === document.body) this.#find('.main').focus();
    }
  }

  #setQuantity(field) {
    if (field.name !== 'quantity' || !field.reportValidity()) return;
    // The notes stay until the next comparison: without them the page would move under the pointer.
    cart.change(Number(field.closest('.line').dataset.id), { quantity: field.valueAsNumber });
  }

  #remove(button) {
    const id = Number(button.closest('.line').dataset.id);
    this.#notes.delete(id);
    cart.remove(id);
  }

  async #unlock() {
    const { order } = cart;
    // Another tab repeats it.
    if (order && (await isRunning(order))) {
      this.#lost = undefined;
      this.#follow();
      return;
    }
    this.#say();
    if (order) cart.giveUp(order);
    this.#find('h1').focus();
  }

  // The customer may have opened another view meanwhile.
  #announce(problem) {
    if (!this.#root.hidden) return;
    this.#unseen = problem;
    announce(problem.message);
  }

  #say(problem) {
    showProblem(this.#find('.problem'), problem);
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }
}

function canRepeat(order) {
  return isRepeatable(order) && !isForeign(order);
}

function cents({ price, quantity }) {
  return Math.round(price * 100) * quantity;
}
