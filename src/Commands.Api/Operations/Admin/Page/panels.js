// What else can be done with a document: the stock of a product, the steps of an order.

import { ask } from '/console/confirm.js';
import { Attempts } from './attempts.js';
import { choice, el, labelled, numberOf, outcome, panel, run } from './elements.js';
import { money, steps, time } from './resources.js';

const movedBefore = 'An earlier attempt was executed, this one was not. Look at the stock, then move what is missing.';
export const changedMeanwhile = 'It was changed meanwhile, so nothing was done. Look at it, then try again.';

/**
 * Changes the stock of a product; a repetition is safe, so that no delta counts twice. The panel stays when the product
 * is read again: it has the key and the outcome of a movement. `again` reads the product, and returns whether it has the
 * version of the movement.
 */
export function stockPanel(shop, id, again, signal) {
  const place = outcome();
  const now = el('p', { id: 'stock', className: 'figure', tabIndex: -1 });
  const movement = new Attempts(async (body, key) =>
    (await shop.send('PATCH', `/products/${id}/stock`, body, { key, signal })).value);
  const form = el('form', { className: 'row', onsubmit: (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const body = { [data.get('way')]: numberOf(data.get('amount').trim()) };
    run(place, form, async () => {
      const { value: { version }, isEarlier } = await movement.send(body);
      place.say('');
      if (!isEarlier) form.reset();
      // After an earlier movement the key stays until the stock is shown again: with another key this movement would
      // count in addition to that one.
      if (await again(version, isEarlier ? movedBefore : undefined)) {
        movement.renewKey();
        form.reset();
      }
      now.focus();
    });
  } },
  labelled('Movement', choice('way', [['delta', 'Add (- takes away)'], ['stock', 'Set to']], 'delta')),
  labelled('Amount', el('input', { name: 'amount', inputMode: 'numeric', required: true, autocomplete: 'off' })),
  el('button', { className: 'main' }, 'Move stock'));
  const show = ({ stock }) => {
    now.textContent = `${stock} in stock`;
  };
  return { element: panel('Stock', now, form, place), show };
}

/** The items of an order, its past steps and those that it can take. */
export function orderPanels(shop, order, again, signal) {
  const price = (value) => money(value, order.currency);
  const items = el('ul', { role: 'list' }, order.items.map((item) => el('li', { className: 'row' },
    el('a', { href: `/admin?view=products&id=${item.productId}` }, item.productName ?? `Product ${item.productId}`),
    el('span', {}, `${item.quantity} x ${price(item.unitPrice)}`))));
  const past = (order.statusHistory ?? []).map((one) =>
    el('li', {}, `${one.status} - ${time(one.time)}${one.actor ? `, ${one.actor}` : ''}`));
  const customer = el('a', { href: `/admin?view=users&id=${order.customer.id}` },
    order.customer.name ?? `Customer ${order.customer.id}`);
  return [
    panel('Status', el('p', { className: 'figure', id: 'status', tabIndex: -1 }, order.status),
      stepButtons(shop, order, again, signal), el('ol', { className: 'quiet', role: 'list' }, past)),
    panel('Items', el('p', {}, 'Sold to ', customer), items,
      el('p', { className: 'figure' }, price(order.totalAmount))),
  ];
}

function stepButtons(shop, order, again, signal) {
  const place = outcome();
  const take = async (status, button) => {
    const question = { title: 'Cancel the order?', text: 'Its items return to stock.', yes: 'Cancel it' };
    if (status === 'Cancelled' && !await ask(question, signal)) return;
    await run(place, button.parentElement, async () => {
      const { version } = order;
      const sent = shop.send('PATCH', `/orders/${order.id}`, { status }, { version, signal });
      const { value, alarm } = await sent.catch(async (problem) => {
        if (problem.code !== 'version.mismatch') throw problem;
        await shop.readVersion(`/orders/${order.id}`, problem.version, signal);
        return { value: { version: problem.version }, alarm: changedMeanwhile };
      });
      await again(value.version, alarm);
      document.querySelector('#status')?.focus();
    });
  };
  const buttons = (steps[order.status] ?? []).map((status) =>
    el('button', { type: 'button', className: status === 'Cancelled' ? 'alarm' : 'main',
      onclick: (event) => take(status, event.target) }, status === 'Cancelled' ? 'Cancel' : `Set to ${status}`));
  return el('div', {}, el('div', { className: 'row' }, buttons), place);
}
