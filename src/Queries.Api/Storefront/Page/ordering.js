// What the cart does with the shop: compares its lines with the products of now, and orders.

import { account } from './account.js';
import { cart } from './cart.js';
import { byIds } from './shop.js';
import { addressOf, money } from './views.js';

// Half of the time for which any shop stores a response (Idempotency:Lifetime): the rest is for a slow request.
const repeatableTime = 30 * 60 * 1000;

/** Whether the shop still has the order's key. */
export function isRecent({ at }) {
  const age = Date.now() - at;
  return age >= 0 && age < repeatableTime;
}

/** Whether the order can be sent again, and a repetition is not a second order. */
export function isRepeatable(order) {
  return isRecent(order) && Boolean(order.body.items);
}

/** An order that is too old to be repeated needs no address and no products. The clock may have been set back. */
export function removeOldDetails() {
  if (cart.order && !(Date.now() - cart.order.at < repeatableTime)) cart.removeDetails();
}

/** Whether another customer than the one who is signed in has placed the order. */
export function isForeign({ body }) {
  return Boolean(account.customer) && body.userId !== account.customer.customerId;
}

/** Whether a tab waits for the response at this moment. */
export async function isRunning(order) {
  return Boolean(await navigator.locks?.request(lockOf(order), { ifAvailable: true }, (lock) => !lock));
}

/** Completes when no tab waits for the response any more. */
export async function ended(order) {
  await navigator.locks?.request(lockOf(order), () => {});
}

/** What a customer does about an order without a response. */
export function unknownResponse(order) {
  if (isForeign(order))
    return 'It is not known whether the order of another customer arrived. To order yourself, change the cart.';
  const advice = isRepeatable(order) ? 'Press Order again: it is not placed twice.'
    : 'Look at My orders first. If it is not there, change the cart and order again.';
  return `It is not known whether the last order arrived. ${advice}`;
}

/** What has changed in each line, as [id, words]; the lines get the names, prices and addresses of now. */
export async function compare(lines) {
  if (!lines.length) return [];
  const found = await byIds('products', lines.map(({ id }) => id));
  const products = new Map(found.map((product) => [product.id, product]));
  const notes = lines.map((line) => [line.id, noteOf(line, products.get(line.id))]);
  for (const product of found) {
    const { id, name, price, currency } = product;
    cart.change(id, { name, price, currency, address: addressOf(product) });
  }
  return notes.filter(([, words]) => words);
}

/** An order of the whole cart, with the key that makes its repetition safe. */
export function newOrder(shippingAddress) {
  const items = cart.lines.map(({ id, quantity }) => ({ productId: id, quantity }));
  return { key: newKey(), at: Date.now(), body: { userId: account.customer.customerId, shippingAddress, items } };
}

/** Places the order, or repeats it: { id, token }. Its lock is held meanwhile, which other tabs can detect. */
export function place(order) {
  if (cart.order && cart.order.key !== order.key) throw changedElsewhere();
  // Stored before the lock is requested: meanwhile another tab could make a second order, with another key.
  cart.begin(order);
  return navigator.locks ? navigator.locks.request(lockOf(order), () => send(order)) : send(order);
}

async function send(order) {
  // While this tab waited for the lock, another one may have given the order up. One that was placed is answered again.
  if (cart.order?.key !== order.key && !cart.wasPlaced(order)) throw changedElsewhere();
  try {
    const response = await account.send('/orders', order.body, { 'idempotency-key': order.key });
    const { id } = await response.json();
    cart.complete(order);
    return { id, token: response.headers.get('consistency-token') };
  } catch (problem) {
    if (isFinal(problem)) cart.giveUp(order);
    // An order with this key may exist, and a repetition would be refused each time.
    const isReused = problem.code === 'idempotency.key_reused';
    if (isReused && cart.order?.key === order.key) cart.removeDetails();
    // An error of the server may have come after the commit, and one of a proxy says nothing about the order.
    const isRefusal = problem.code && problem.status < 500 && !isReused;
    throw isRefusal ? problem : new Error(unknownResponse(cart.order ?? order));
  }
}

function changedElsewhere() {
  return new Error('The cart was changed in another tab. Look at it, then order again.');
}

// Browsers have locks on secure origins only.
function lockOf({ key }) {
  return `apexshop.order.${key}`;
}

function noteOf({ quantity, price, currency }, product) {
  if (!product?.isActive) return 'This is no longer sold. Remove it to order the rest.';
  if (!product.stock) return 'This is sold out. Remove it to order the rest.';
  const short = product.stock < quantity ? `Only ${product.stock} left.` : '';
  // Lines from before the currency was kept have none.
  const isSame = product.price === price && (!currency || product.currency === currency);
  const changed = isSame ? ''
    : `The price was ${money(price, currency)} and is now ${money(product.price, product.currency)}.`;
  return `${short} ${changed}`.trim();
}

// The response means that the order was not placed, and that another attempt is another order. That of a proxy has no
// code.
function isFinal({ status, code }) {
  return Boolean(code) && status >= 400 && status < 500 && ![401, 408, 429].includes(status)
    && !code.startsWith('idempotency.');
}

// Not randomUUID, which browsers have on secure origins only.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
