// The button that puts a product into the cart, and what is said after it.

import { cart } from './cart.js';

const shortly = 1500;

export function addButton(product, address) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'add';
  button.textContent = 'Add to cart';
  button.ariaLabel = `Add to cart: ${product.name}`;
  button.disabled = !product.isActive || !product.stock;
  button.addEventListener('click', () => {
    try {
      cart.add(product, address);
      announce(`${product.name} is in the cart.`);
      button.textContent = 'Added';
      setTimeout(() => (button.textContent = 'Add to cart'), shortly);
    } catch ({ message }) {
      announce(message);
      button.textContent = message;
    }
  });
  return button;
}

/** For readers who do not see the change. */
export function announce(words) {
  document.querySelector('.top [role=status]').textContent = words;
}
