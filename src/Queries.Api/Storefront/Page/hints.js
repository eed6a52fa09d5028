// What there is to look for: the categories, and words of the newest products.

import { List, all } from './shop.js';

const newest = 20;
const mostWords = 3;

// PostgreSQL's English stop words that a name may end with: a search for one of them finds nothing. Those of three
// letters are too short for a hint.
const stopWords = new Set(
  `myself ours ourselves your yours yourself yourselves hers herself itself they them their theirs themselves what which
  whom this that these those were been being have having does doing because until while with about against between into
  through during before after above below from down over under again further then once here there when where both each
  more most other some such only same than very will just should`.split(/\s+/),
);

/** Every category that is in use. */
export const categories = once(async () => {
  const found = [];
  for await (const category of all('categories', { sort: 'name', isActive: true })) found.push(category);
  return found;
});

/** Words that find at least one product: in a name, the last word is usually the kind of the product. */
export const searchWords = once(async () => {
  const words = new Set();
  for await (const { name } of new List('products', { sort: 'newest', isActive: true }, newest).next()) {
    const parts = name.toLowerCase().split(/\s+/);
    const word = parts.findLast((part) => /^\p{L}{4,}$/u.test(part) && !stopWords.has(part));
    if (word) words.add(word);
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
