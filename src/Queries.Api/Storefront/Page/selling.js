// What a shop that sells has beside its products: cart, sign-in, orders, and the links to them.

import { account } from './account.js';
import { announce } from './adding.js';
import { cart } from './cart.js';
import { Checkout } from './checkout.js';
import { removeOldDetails } from './ordering.js';
import { Purchases } from './purchases.js';
import { SignIn } from './signin.js';

/**
 * Adds these views to the page and returns them by their paths. `go` shows another address; `sold` is called after an
 * order was placed.
 */
export function addSelling(go, sold) {
  const root = document.getElementById('main');
  root.append(document.getElementById('selling').content.cloneNode(true));
  const purchases = new Purchases(root.querySelector('#purchases'));
  const placed = (order, isShown) => {
    sold();
    purchases.placed = order;
    if (isShown) go('/my-orders');
    else announce(`Order ${order.id} is placed.`);
  };
  addNavigation();
  return {
    '/cart': new Checkout(root.querySelector('#cart'), placed),
    '/sign-in': new SignIn(root.querySelector('#sign-in'), go),
    '/my-orders': purchases,
  };
}

const minute = 60_000;
const navigation = document.querySelector('.top nav');

function addNavigation() {
  navigation.hidden = false;
  navigation.querySelector('.sign-out').addEventListener('click', () => {
    account.leave();
    announce('You are signed out.');
    navigation.querySelector('.sign-in').focus();
  });
  account.addEventListener('leave', () => {
    // The next person at this computer sees neither the address nor the e-mail address. The lines of the cart stay.
    for (const form of document.querySelectorAll('#cart form, #sign-in form')) form.reset();
    cart.removeDetails();
  });
  removeOldDetails();
  setInterval(removeOldDetails, minute);
  for (const one of [cart, account]) one.addEventListener('change', draw);
  // Other pages may have changed both since the browser kept this one.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    account.follow();
    for (const one of [cart, account]) one.dispatchEvent(new Event('change'));
  });
  draw();
}

function draw() {
  const isSignedIn = Boolean(account.customer);
  navigation.querySelector('.count').textContent = cart.count ? `(${cart.count})` : '';
  navigation.querySelector('.sign-in').hidden = isSignedIn;
  navigation.querySelector('.sign-out').hidden = !isSignedIn;
}
