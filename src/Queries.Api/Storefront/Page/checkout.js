// The cart as a view: its lines with today's prices and stock, and the order.

import { account } from './account.js';
import { cart } from './cart.js';
import { copy, showProblem } from './elements.js';
import { compare, isRepeatable, newOrder, place, unknownResponse } from './ordering.js';
import { money } from './views.js';

export class Checkout {
  #root;
  #form;
  #placed;
  #notes = new Map();
  #isBusy = false;

  /** `placed` is called with the order: { id, token }. */
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
    for (const one of [cart, account]) one.addEventListener('change', () => this.#root.hidden || this.#draw());
  }

  async show() {
    document.title = 'Cart - ApexShop';
    this.#root.hidden = false;
    this.#notes.clear();
    scrollTo(0, 0);
    this.#find('h1').focus({ preventScroll: true });
    // The order of another customer: its response is among that customer's orders.
    const { customer } = account;
    if (cart.order && customer && cart.order.body.userId !== customer.customerId) cart.giveUp();
    this.#say(cart.order && new Error(unknownResponse(cart.order)));
    this.#draw();
    await this.#check().catch((problem) => this.#say(problem));
  }

  leave() {
    this.#root.hidden = true;
  }

  #draw() {
    const { lines, order } = cart;
    this.#drawLines(lines);
    this.#find('.status').textContent = lines.length ? '' : 'The cart is empty.';
    this.#form.hidden = lines.length === 0;
    this.#find('.total strong').textContent = money(lines.reduce((sum, line) => sum + cents(line), 0) / 100, lines[0]?.currency);
    this.#find('fieldset').disabled = Boolean(order) || this.#isBusy;
    this.#find('.unlock').hidden = !order;
    this.#find('.first').hidden = Boolean(account.customer);
    this.#find('.main').disabled = this.#isBusy || !account.customer || Boolean(order && !isRepeatable(order));
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

  // Whether the customer has something to look at.
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
      if (cart.order && !isRepeatable(cart.order)) throw new Error(unknownResponse(cart.order));
      if (!cart.order && !account.customer) account.end();
      // An order that is there already is repeated.
      const order = cart.order ?? cart.begin(newOrder(this.#form.elements.address.value));
      const placed = await place(order);
      this.#form.reset();
      this.#placed(placed);
    } catch (problem) {
      if (problem.code?.startsWith('product.')) await this.#check().catch(() => {});
      this.#say(problem);
    } finally {
      this.#isBusy = false;
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

  #unlock() {
    this.#say();
    cart.giveUp();
    this.#find('h1').focus();
  }

  #say(problem) {
    showProblem(this.#find('.problem'), problem);
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }
}

function cents({ price, quantity }) {
  return Math.round(price * 100) * quantity;
}
