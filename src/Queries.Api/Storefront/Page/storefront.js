// The address determines what the page shows: the list of products, one product, or a view of the customer.

import { isSelling } from './account.js';
import { Catalogue } from './catalogue.js';
import { Product } from './product.js';
import { addSelling } from './selling.js';

const catalogue = new Catalogue(document.getElementById('catalogue'));
const product = new Product(document.getElementById('product'));
const views = { '/': catalogue, ...(isSelling && addSelling(go, () => catalogue.expire())) };
let shown;

// Each entry of the history has the list of products, or for a product the list before it: its address, its length and
// its position. Unlike a variable this is still there after a reload.
function show() {
  const address = new URLSearchParams(location.search);
  const list = history.state?.list;
  shown?.leave();
  // The server accepts these spellings of a path too.
  const path = location.pathname.toLowerCase().replace(/(.)\/$/, '$1');
  const isProduct = path.startsWith('/p/') || address.has('product');
  shown = isProduct ? product : views[path] ?? catalogue;
  product.back = list?.address ?? '/';
  shown.show(address, list);
}

// The form of the sign-in is not an entry of the history.
function go(address) {
  if (shown === views['/sign-in']) history.replaceState(history.state, '', address);
  else history.pushState(history.state, '', address);
  show();
}

function follow(event) {
  const link = event.target.closest('a');
  const isOwn = link?.origin === location.origin && (link.pathname in views || link.pathname.startsWith('/p/'));
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!isOwn || opensElsewhere) return;
  event.preventDefault();
  // A position on this page is not an entry of the history: its entries are lists and products.
  if (link.hash) document.querySelector(link.hash).focus();
  else {
    if (shown === catalogue) catalogue.keepPlace();
    // The name of the shop leads to the start of the list, read again; any other link keeps the list and its place.
    const isBrand = link.className === 'brand';
    if (isBrand) catalogue.expire();
    const state = isBrand ? null : history.state;
    // A link to the present address is no step back, as in a page without scripts.
    history[link.href === location.href ? 'replaceState' : 'pushState'](state, '', link.href);
    show();
  }
}

// The browser cannot scroll a list that is not loaded yet; the list restores its position itself.
history.scrollRestoration = 'manual';
addEventListener('popstate', show);
document.addEventListener('click', follow);
show();
document.getElementById('incomplete').remove();
