// The button that puts a product into the cart, and what is said after it.

import { cart } from './cart.js';

const shortly = 1500;
// A sentence takes longer to read.
const longer = 4000;

export function addButton(product, address) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'add';
  button.textContent = 'Add to cart';
  button.ariaLabel = `Add to cart: ${product.name}`;
  button.disabled = !product.isActive || !product.stock;
  let timer;
  const say = (words, time) => {
    clearTimeout(timer);
    button.textContent = words;
    timer = setTimeout(() => (button.textContent = 'Add to cart'), time);
  };
  button.addEventListener('click', () => {
    try {
      cart.add(product, address);
      announce(`${product.name} is in the cart.`);
      say('Added', shortly);
    } catch ({ message }) {
      announce(message);
      say(message, longer);
    }
  });
  return button;
}

/** For readers who do not see the change. */
export function announce(words) {
  document.querySelector('.top [role=status]').textContent = words;
}
