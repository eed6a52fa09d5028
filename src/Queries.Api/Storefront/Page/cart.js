// The cart. It is kept in this browser, for all its tabs, with the order that is being placed.

const place = 'apexshop.cart';
// The keys of the last placed orders that are kept.
const mostPlaced = 8;
// As many as an order may have.
const mostLines = 100;
const mostPieces = 1000;

class Cart extends EventTarget {
  constructor() {
    super();
    // Another tab has changed it.
    addEventListener('storage', ({ key }) => key === place && this.dispatchEvent(new Event('change')));
  }

  /** What is in the cart: { id, name, address, price, currency, quantity }, with the price that the customer saw last. */
  get lines() {
    return read().lines;
  }

  get count() {
    return this.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /**
   * The order that was sent and has no definite response: { key, at, body }. The key makes its repetition safe: the
   * shop places it once, while the key is valid. Without its details it cannot be repeated.
   */
  get order() {
    return read().order;
  }

  /** Throws an error with the reason when the product is not added. */
  add({ id, name, price, currency }, address) {
    const { lines, ...rest } = read();
    // Its repetition is the same request, so the cart stays what was ordered.
    if (rest.order) throw new Error('The last order has no response yet. Look at the cart.');
    const line = lines.find((one) => one.id === id);
    if (line) line.quantity = Math.min(line.quantity + 1, mostPieces);
    else if (lines.length < mostLines) lines.push({ id, name, address, price, currency, quantity: 1 });
    else throw new Error('The cart is full.');
    this.#write({ ...rest, lines });
  }

  /** Changes values of a line. */
  change(id, values) {
    const { lines, ...rest } = read();
    this.#write({ ...rest, lines: lines.map((line) => (line.id === id ? { ...line, ...values } : line)) });
  }

  remove(id) {
    const { lines, ...rest } = read();
    this.#write({ ...rest, lines: lines.filter((line) => line.id !== id) });
  }

  /** Before the order is sent: a response that is lost must not lose the key. */
  begin(order) {
    this.#write({ ...read(), order });
  }

  /**
   * Removes address and products from the order without a response; the lines of the cart stay. What remains shows its
   * customer that it may exist.
   */
  removeDetails() {
    const { order, ...rest } = read();
    if (!order?.body?.items) return;
    const { key, at, body: { userId } } = order;
    this.#write({ ...rest, order: { key, at, body: { userId } } });
  }

  /** Whether this order was placed, by this tab or another one. */
  wasPlaced({ key }) {
    return read().placed.includes(key);
  }

  /** This order was placed: what was added since stays. Another tab may have noted it before, or given it up. */
  complete({ key, body }) {
    const { lines, order, placed } = read();
    const items = placed.includes(key) ? [] : body.items;
    const ordered = new Map(items.map(({ productId, quantity }) => [productId, quantity]));
    const rest = lines.map((line) => ({ ...line, quantity: line.quantity - (ordered.get(line.id) ?? 0) }));
    this.#write({
      lines: rest.filter(({ quantity }) => quantity > 0),
      order: order?.key === key ? undefined : order,
      placed: [...placed.filter((other) => other !== key), key].slice(-mostPlaced),
    });
  }

  /** The order was not placed. */
  giveUp({ key }) {
    const { order, ...rest } = read();
    if (order?.key === key) this.#write(rest);
  }

  #write(content) {
    try {
      localStorage.setItem(place, JSON.stringify(content));
    } catch {
      throw new Error('Your browser does not store the cart.');
    }
    this.dispatchEvent(new Event('change'));
  }
}

export const cart = new Cart();

function read() {
  try {
    const { lines, order, placed = [] } = JSON.parse(localStorage.getItem(place));
    return { lines: lines.filter(({ id, quantity }) => id > 0 && quantity > 0), order, placed };
  } catch {
    // Nothing is kept, it is not ours, or the browser blocks it.
    return { lines: [], placed: [] };
  }
}
