// What there is to look for: the categories, and words of the newest products.

import { List, all } from './shop.js';

const newest = 20;
const mostWords = 3;

/** Every category that is in use. */
export const categories = once(async () => {
  const found = [];
  for await (const category of all('categories', { sort: 'name', isActive: true })) found.push(category);
  return found;
});

/** Words that find at least one product: in a name, the last word usually says what the product is. */
export const searchWords = once(async () => {
  const words = new Set();
  for await (const { name } of new List('products', { sort: 'newest', isActive: true }, newest).next()) {
    const word = name.split(/\s+/).findLast((part) => /^\p{L}{3,}$/u.test(part));
    if (word) words.add(word.toLowerCase());
  }
  return [...words].slice(0, mostWords);
});

// Kept for the page; after an error it is loaded again.
function once(load) {
  let kept;
  return () =>
    (kept ??= load().catch((error) => {
      kept = undefined;
      throw error;
    }));
}
