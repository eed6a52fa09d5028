import { afterItems, ShopProblem } from './problem.js';
import { newKey } from './requests.js';

const ITEMS_OF_REQUEST = 1000;

// An id is often a part of a page's address, and with '../' in it the request would have another address.
function idPath(name, id) {
  if (!/^-?[0-9]+$/.test(String(id))) throw new TypeError(`${JSON.stringify(id)} is no id.`);
  return `${name}/${id}`;
}

/** What every resource can do. */
class Resource {
  constructor(shop, name) {
    this.shop = shop;
    this.name = name;
  }

  async get(id, options) {
    return this.read(idPath(this.name, id), {}, options);
  }

  async getIfChanged(id, eTag, { signal } = {}) {
    const path = idPath(this.name, id);
    const { response, body } = await this.shop.send({ method: 'GET', path, ifNoneMatch: eTag, signal });
    return { value: body ?? null, eTag: response.headers.get('ETag') };
  }

  getBatch(ids, options) {
    return this.read(`${this.name}/batch`, { ids: [...ids] }, options);
  }

  getPage(query = {}, { after, before, pageSize = 20, ...options } = {}) {
    return this.read(`${this.name}/cursor`, { after, before, pageSize, ...query }, options);
  }

  async *list(query = {}, { pageSize = 100, ...options } = {}) {
    let after;
    do {
      const page = await this.getPage(query, { ...options, after, pageSize });
      yield* page.data;
      after = page.hasMore ? page.nextCursor : undefined;
    } while (after);
  }

  stream(query = {}, { limit, signal } = {}) {
    return this.shop.lines({ method: 'GET', path: `${this.name}/stream`, query: { limit, ...query }, signal });
  }

  create(input, options) {
    return this.write('POST', this.name, input, withKey(options));
  }

  async replace(id, replacement, options) {
    return this.write('PUT', idPath(this.name, id), replacement, options);
  }

  async patch(id, patch, options) {
    return this.write(
      'PATCH', idPath(this.name, id), patch, { ...withKey(options), contentType: 'application/merge-patch+json' });
  }

  async delete(id, options) {
    await this.write('DELETE', idPath(this.name, id), undefined, options);
  }

  read(path, query, { fields, signal } = {}) {
    return this.shop.json({ method: 'GET', path, query: { ...query, fields }, signal });
  }

  write(method, path, body, options) {
    return this.shop.json({ ...options, method, path, body: body === undefined ? undefined : JSON.stringify(body) });
  }
}

const withKey = options => ({ ...options, idempotencyKey: options?.idempotencyKey ?? newKey() });

// The shop allows some commands much more time than others.
const withLongTimeout = options => ({ ...options, isLong: true });

/** What the shop did not read of a list, because of the problem of the last chunk; undefined when it read the list. */
function notRead(part, summary, { first, count, problem } = {}) {
  const next = first + count;
  if (summary.done || !problem || next === part.length) return undefined;
  return { first: next, count: part.length - next, problem };
}

// Whether the chunk certainly changed a product: the response does not contain this, but the version of a changed item
// is greater than the version that was sent.
function hasChanged(part, { first, items }) {
  return items.some(({ version }, index) => version > (part[first + index].version ?? version));
}

/** A resource with commands over lists. */
class ListResource extends Resource {
  createMany(items, options) {
    return this.write('POST', `${this.name}/bulk`, items, withKey(options));
  }

  replaceMany(items, options) {
    return this.write('PUT', `${this.name}/bulk`, items, options);
  }

  deleteMany(ids, options) {
    return this.write('DELETE', `${this.name}/bulk`, ids, options);
  }
}

export class Products extends ListResource {
  async getBySlug(slug, options) {
    // Segments that an address does not have.
    if (slug === '.' || slug === '..') throw new TypeError(`'${slug}' is no slug.`);
    return this.read(`${this.name}/by-slug/${encodeURIComponent(slug)}`, {}, options);
  }

  getFacets(query = {}, options) {
    return this.read(`${this.name}/facets`, { ...query, sort: undefined }, options);
  }

  async suggest(typed, options) {
    const { data } = await this.read(`${this.name}/suggest`, { q: typed }, options);
    return data.map(({ text }) => text);
  }

  async setStock(id, stock, options) {
    return this.write('PATCH', `${idPath(this.name, id)}/stock`, { stock }, withKey(options));
  }

  async changeStock(id, delta, options) {
    return this.write('PATCH', `${idPath(this.name, id)}/stock`, { delta }, withKey(options));
  }

  setStockOfCategory(categoryId, stock, options) {
    return this.#stockOfCategory({ categoryId, stock }, options);
  }

  changeStockOfCategory(categoryId, delta, options) {
    return this.#stockOfCategory({ categoryId, delta }, options);
  }

  #stockOfCategory(change, options) {
    return this.write('PATCH', `${this.name}/bulk-update-stock`, change, withLongTimeout(withKey(options)));
  }

  // The shop responds while it reads the list, so the response to one request must fit into the buffers on the way.
  async *replaceMany(items, { signal } = {}) {
    const tokens = [];
    let chunk = 0;
    for (let first = 0; first < items.length; first += ITEMS_OF_REQUEST) {
      const part = items.slice(first, first + ITEMS_OF_REQUEST);
      try {
        let last;
        let isComplete = false;
        for await (const line of this.#chunks(part, tokens, signal)) {
          isComplete = line.chunk === undefined;
          last = isComplete ? notRead(part, line, last) : line;
          if (!last) continue;
          const problem = last.problem && { problem: afterItems(first, last.problem) };
          yield { ...last, chunk: chunk++, first: first + last.first, ...problem };
        }

        if (!isComplete) throw new TypeError('The response ends before its last line.');
      } catch (error) {
        if (!(error instanceof ShopProblem)) throw error;
        throw new ShopProblem(afterItems(first, error.problem), error.retryAfter);
      }
    }
  }

  // Events of products are applied in order, so the token of a chunk that changed a product includes the chunks before
  // it. The token of a chunk that changed nothing is of an older event, which does not include them.
  async *#chunks(part, earlier, signal) {
    const request = { method: 'PUT', path: `${this.name}/bulk`, body: JSON.stringify(part), signal };
    for await (const line of this.shop.lines(request)) {
      const { consistencyToken: token } = line;
      if (token) {
        this.shop.keep(token, hasChanged(part, line) ? earlier.splice(0) : []);
        earlier.push(token);
      }

      yield line;
    }
  }
}

export class Categories extends ListResource {}

export class Reviews extends ListResource {
  async deleteOld(productId, olderThanDays, options) {
    const path = `${idPath(`${this.name}/product`, productId)}/bulk-delete-old`;
    return this.write('DELETE', path, undefined, withLongTimeout({ ...options, query: { olderThanDays } }));
  }
}

export class Users extends ListResource {
  // A password is hashed for each item.
  createMany(items, options) {
    return super.createMany(items, withLongTimeout(options));
  }

  replaceMany(items, options) {
    return super.replaceMany(items, withLongTimeout(options));
  }

  async erase(id, options) {
    await this.write('POST', `${idPath(this.name, id)}/erase`, undefined, withLongTimeout(options));
  }

  deactivateInactive(inactiveDays, options) {
    const path = `${this.name}/bulk-deactivate-inactive`;
    return this.write('PATCH', path, undefined, withLongTimeout({ ...options, query: { inactiveDays } }));
  }
}

export class Orders extends Resource {
  setStatus(id, status, { trackingNumber, ...options } = {}) {
    return this.patch(id, { status, trackingNumber }, options);
  }

  deleteOld(olderThanDays, options) {
    const path = `${this.name}/bulk-delete-old`;
    return this.write('DELETE', path, undefined, withLongTimeout({ ...options, query: { olderThanDays } }));
  }
}
