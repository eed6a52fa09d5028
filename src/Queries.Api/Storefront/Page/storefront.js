// The address says what the page shows: the list of products, or one of them.

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
  const isOurs = link?.origin === location.origin && link.pathname === '/';
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!isOurs || isElsewhere) return;
  event.preventDefault();
  // A place on this page is no entry of the history: the way back is the way between lists and products.
  if (link.hash) document.querySelector(link.hash).focus();
  else {
    history.pushState(null, '', link.href);
    show();
  }
}

// A list that grows cannot be scrolled before it is there again; the list itself keeps its place.
history.scrollRestoration = 'manual';
addEventListener('popstate', show);
document.addEventListener('click', follow);
show();
