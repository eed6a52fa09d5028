// Who is signed in, and commands to Commands.Api in the name of this customer.

import { Problem } from './shop.js';

const commands = document.documentElement.dataset.commands;
const place = 'apexshop.account';
const leaving = 'apexshop.leaving';
// The customers of this browser whose sign-outs are kept.
const mostSignOuts = 20;

/** Whether this shop sells on the page. */
export const isSelling = commands !== '';

const sentences = {
  401: 'Your sign-in has ended. Sign in again.',
  429: 'These were too many attempts. Wait some minutes, then try again.',
  'session.refused': 'The e-mail address or the password is wrong.',
  'session.off': 'Customers cannot sign in at this shop now.',
  'request.invalid': 'Something in the form is not valid. Look at it again.',
  'access.customer_inactive': 'This account is closed. Nothing was ordered.',
  '/orders 400': 'The address is not valid, or there are too many pieces of a product. Nothing was ordered.',
  '/orders 429': 'You have too many pending orders, or these were too many attempts. Try again in some minutes.',
  'product.sold_out': 'There is not enough in stock. Nothing was ordered.',
  'product.inactive': 'A product of the cart is no longer sold. Nothing was ordered.',
  'product.unknown': 'A product of the cart is no longer sold. Nothing was ordered.',
  'order.total_too_large': 'The total is too large for one order. Nothing was ordered.',
};

class Account extends EventTarget {
  constructor() {
    super();
    addEventListener('storage', ({ key }) => key === leaving && this.follow());
  }

  /** The customer who is signed in: { token, expiresAt, customerId, since }. */
  get customer() {
    const kept = keptSignIn();
    return kept && Date.parse(kept.expiresAt) > Date.now() && !hasLeft(kept) ? kept : undefined;
  }

  get headers() {
    return this.customer ? { authorization: `Bearer ${this.customer.token}` } : {};
  }

  async signIn(email, password) {
    const response = await send('/sessions', { email, password }, {});
    // Later than every earlier sign-out, also when the clock of the device was corrected.
    const since = Math.max(Date.now(), ...signOuts().map(({ at }) => at + 1));
    const customer = JSON.stringify({ ...await response.json(), since });
    try {
      // Not in localStorage: a token cannot be revoked, so it shall not outlive the tab on a shared computer.
      sessionStorage.setItem(place, customer);
    } catch {
      throw new Problem('Your browser does not store the sign-in. Allow this shop to store data, then sign in again.');
    }
    // By the clock of this device the new sign-in has expired already.
    if (!this.customer) {
      sessionStorage.removeItem(place);
      throw new Problem('The clock of this device is wrong. Correct it, then sign in again.');
    }
    this.dispatchEvent(new Event('change'));
  }

  signOut() {
    sessionStorage.removeItem(place);
    this.dispatchEvent(new Event('change'));
  }

  /** Signs the customer out in all tabs: at once where the shop is shown, in others when it is shown again. */
  leave() {
    const kept = keptSignIn();
    if (kept) {
      const { customerId, since = 0 } = kept;
      const others = signOuts().filter((one) => one.customerId !== customerId);
      const last = { customerId, at: Math.max(Date.now(), since) };
      try {
        localStorage.setItem(leaving, JSON.stringify([last, ...others].slice(0, mostSignOuts)));
      } catch {
        // The browser blocks it, so the other tabs do not receive it.
      }
    }
    this.#forget();
  }

  /** Signs the customer out if this was done in another tab. */
  follow() {
    const kept = keptSignIn();
    if (kept && hasLeft(kept)) this.#forget();
  }

  #forget() {
    sessionStorage.removeItem(place);
    for (const type of ['leave', 'change']) this.dispatchEvent(new Event(type));
  }

  /** The sign-in has expired or is no longer accepted. */
  end() {
    this.signOut();
    throw new Problem(sentences[401], 401);
  }

  /** Sends a command of the customer; an error of the response is a Problem. */
  async send(path, body, headers) {
    try {
      return await send(path, body, { ...this.headers, ...headers });
    } catch (problem) {
      if (problem.status === 401) this.signOut();
      throw problem;
    }
  }
}

export const account = new Account();

// Of this tab, also when it has expired.
const keptSignIn = () => read(() => sessionStorage.getItem(place));

// Of the customers who signed out last, in any tab: [{ customerId, at }].
const signOuts = () => read(() => localStorage.getItem(leaving)) ?? [];

const hasLeft = ({ customerId, since = 0 }) =>
  signOuts().some((one) => one.customerId === customerId && one.at >= since);

function read(stored) {
  try {
    return JSON.parse(stored());
  } catch {
    // The browser blocks it.
    return undefined;
  }
}

// Longer than the shop's own time limit. A process that hangs sends nothing.
const longest = 45_000;

async function send(path, body, headers) {
  const request = {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(longest),
  };
  const response = await fetch(commands + path, request).catch(() => {
    throw new Problem('The shop cannot be reached.');
  });
  if (response.ok) return response;
  const { code } = await response.json().catch(() => ({}));
  const { status } = response;
  const sentence = sentences[`${path} ${status}`] ?? sentences[code] ?? sentences[status] ?? 'The shop cannot do this now. Try again in a moment.';
  throw new Problem(sentence, status, code);
}
