// The address determines what the page shows: the list of products, or one product.

import { Catalogue } from './catalogue.js';
import { Product } from './product.js';

const catalogue = new Catalogue(document.getElementById('catalogue'));
const product = new Product(document.getElementById('product'));
let shown;

function show() {
  const address = new URLSearchParams(location.search);
  const next = address.has('product') ? product : catalogue;
  product.back = catalogue.address;
  shown?.leave();
  shown = next;
  shown.show(address);
}

function follow(event) {
  const link = event.target.closest('a');
  const isOwn = link?.origin === location.origin && link.pathname === '/';
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!isOwn || opensElsewhere) return;
  event.preventDefault();
  // A position on this page is not an entry of the history: its entries are lists and products.
  if (link.hash) document.querySelector(link.hash).focus();
  else {
    history.pushState(null, '', link.href);
    show();
  }
}

// The browser cannot scroll a list that is not loaded yet; the list restores its position itself.
history.scrollRestoration = 'manual';
addEventListener('popstate', show);
document.addEventListener('click', follow);
show();
