// What there is to look for: the categories, and words of the newest products.

import { List, byIds } from './shop.js';

// As many as a batch may have.
const mostCategories = 100;
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

// The names of categories that are in use, by id.
const names = new Map();

/** All categories that are in use, by name, in pages. */
export function allCategories() {
  return new List('categories', { sort: 'name', isActive: true }, mostCategories);
}

/** The first of these, and whether there are no others. */
export const categories = once(async () => {
  const list = allCategories();
  const first = [];
  for await (const category of list.next()) first.push(category);
  for (const { id, name } of first) names.set(id, name);
  return { first, areAll: !list.hasMore };
});

/** The largest of these categories that have products. */
export function largest(some, count) {
  return some.filter((one) => one.productCount).sort((a, b) => b.productCount - a.productCount).slice(0, count);
}

/** The names of these categories, by id; those that are not in use have none. */
export async function namesOf(ids) {
  // Of most shops these are all. If they cannot be read, each one is requested by its id.
  const { areAll } = await categories().catch(() => ({}));
  const unknown = areAll ? [] : ids.filter((id) => !names.has(id)).slice(0, mostCategories);
  const found = unknown.length ? await byIds('categories', unknown) : [];
  for (const { id, name, isActive } of found) if (isActive) names.set(id, name);
  return new Map(ids.filter((id) => names.has(id)).map((id) => [id, names.get(id)]));
}

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
