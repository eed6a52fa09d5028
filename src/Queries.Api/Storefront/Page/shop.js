// A client of the query API: documents, and errors as sentences.

// How often a list is read with the order that was just placed, and the milliseconds before it is read again.
const attemptsWithOrder = 5;
const pauseForOrder = 1000;

const unusable = 'The shop cannot search with these filters. Change or clear them.';

// The API's own texts are for developers.
const sentences = {
  400: unusable,
  401: 'Your sign-in has ended. Sign in again.',
  404: unusable,
  429: 'These were too many requests. Wait a moment, then try again.',
  'search.too_expensive': 'This search takes too long. Add a word or a filter.',
};

// The form of all codes of docs/errors.md except internal, which no page needs. A proxy has others, such as Forbidden
// or a number.
const isOfShop = (code) => typeof code === 'string' && /^[a-z_]+\.[a-z_]+$/.test(code);

/** An error whose message is a sentence for the shopper. Its code is one of the shop, not one of a proxy. */
export class Problem extends Error {
  constructor(message, status, code) {
    super(message);
    [this.status, this.code] = [status, isOfShop(code) ? code : undefined];
  }
}

/** One document: by its id, or `by-slug/` and its slug. */
export function one(resource, id, signal) {
  return read(`/${resource}/${id}`, {}, signal);
}

/** The documents of these ids that exist. */
export async function byIds(resource, ids) {
  return (await read(`/${resource}/batch`, { ids: ids.join() })).data;
}

/** How many products of a list have each value. */
export function facets(query, signal) {
  return read('/products/facets', query, signal);
}

/** Texts to search for that complete what was typed. */
export async function suggestions(q, signal) {
  return (await read('/products/suggest', { q }, signal)).data.map(({ text }) => text);
}

/**
 * A list that is read in pages; the first one has `first` documents, if given. Of all newest ones it is a stream, which
 * can be shown as it arrives; if it fails, the pages continue after the last document that arrived.
 */
export class List {
  hasMore = true;
  #resource;
  #query;
  #size;
  #first;
  #headers;
  #last;
  #cursor;

  constructor(resource, query, size, { first = 0, headers = {} } = {}) {
    this.#resource = resource;
    this.#query = query;
    this.#size = size;
    this.#first = first;
    this.#headers = headers;
  }

  /** The next page of the list. */
  async *next(signal) {
    for await (const found of this.#read(signal)) {
      this.#last = found.id;
      yield found;
    }
  }

  // A page after the id of a document begins at the present place of that document. Only the time of its creation never
  // changes: after a change of its price, for example, documents would be missing. A cursor has the former values.
  get #keepsPlaces() {
    return this.#query.sort === 'newest';
  }

  #read(signal) {
    if (!this.#first || this.#last) return this.#page(signal);
    return this.#keepsPlaces && this.#isWhole ? this.#stream(signal) : this.#pages(signal);
  }

  // The shop may search for a stream longer than a shopper waits. The search for a page ends after seconds, and its
  // result is kept for others.
  get #isWhole() {
    return Object.keys(this.#query).every((name) => ['sort', 'isActive'].includes(name));
  }

  async *#pages(signal) {
    for (let count = 0; count < this.#first && this.hasMore;) {
      for await (const found of this.#page(signal)) {
        count++;
        yield found;
      }
    }
  }

  async *#stream(signal) {
    let count = 0;
    try {
      const query = { ...this.#query, limit: this.#first };
      for await (const line of lines(`/${this.#resource}/stream`, query, signal)) {
        count++;
        yield JSON.parse(line);
      }
      this.hasMore = count === this.#first;
    } catch (problem) {
      // A stream that was refused: a page may still be read, because it needs less.
      if (problem.status !== 503) throw problem;
      yield* this.#page(signal);
    }
  }

  async *#page(signal) {
    const position = this.#cursor ? { after: this.#cursor } : this.#last ? { afterId: this.#last } : {};
    const page = await this.#ask({ ...this.#query, pageSize: this.#size, ...position }, signal);
    this.#cursor = page.nextCursor;
    this.hasMore = page.hasMore;
    yield* page.data;
  }

  async #ask(query, signal, attempt = 1) {
    try {
      return await read(`/${this.#resource}/cursor`, query, signal, this.#headers);
    } catch (problem) {
      if (problem.code === 'consistency.not_reached' && this.#headers['consistency-token']) {
        // The list does not have the order yet. It is placed nevertheless, so after these attempts the list is shown
        // without it.
        await new Promise((done) => setTimeout(done, pauseForOrder));
        signal?.throwIfAborted();
        const { 'consistency-token': token, ...rest } = this.#headers;
        if (attempt >= attemptsWithOrder) this.#headers = rest;
        return this.#ask(query, signal, attempt + 1);
      }
      // The document after which the list should go on was deleted: the list begins again, and its reader ignores what
      // it has.
      const { afterId, ...fromTheStart } = query;
      if (problem.status === 400 && afterId) return this.#ask(fromTheStart, signal);
      // The documents were rebuilt since the last page. The list goes on after its last document, if that has kept its
      // place and the list is public: a customer may not name one. Else it begins again, and its reader ignores what it
      // has.
      if (problem.code !== 'cursor.expired') throw problem;
      const { after, ...rest } = query;
      const canGoOn = this.#keepsPlaces && !this.#headers.authorization;
      return this.#ask(canGoOn ? { ...rest, afterId: this.#last } : rest, signal);
    }
  }
}

async function read(path, query, signal, headers) {
  let text = '';
  for await (const part of parts(path, query, 'application/json', signal, headers)) text += part;
  return orProblem(Promise.resolve(text).then(JSON.parse), signal);
}

async function* lines(path, query, signal) {
  let rest = '';
  for await (const part of parts(path, query, 'application/x-ndjson', signal)) {
    const complete = (rest + part).split('\n');
    rest = complete.pop();
    yield* complete;
  }
}

// The body as it arrives.
async function* parts(path, query, accept, signal, headers) {
  const silence = new AbortController();
  const response = await ask(path, query, { accept, ...headers }, signal, silence);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await orProblem(within(silence, reader.read()), signal);
    if (done) return;
    yield value;
  }
}

async function ask(path, query, headers, signal, silence) {
  const parameters = new URLSearchParams(query).toString();
  const url = parameters ? `${path}?${parameters}` : path;
  const both = AbortSignal.any(signal ? [signal, silence.signal] : [silence.signal]);
  const response = await orProblem(within(silence, fetch(url, { headers, signal: both })), signal);
  if (response.ok) return response;
  const { code } = await within(silence, response.json()).catch(() => ({}));
  const sentence = sentences[code] ?? sentences[response.status] ?? 'The shop cannot answer now. Try again in a moment.';
  throw new Problem(sentence, response.status, code);
}

// Longer than the shop's own time limit: for the headers, and for each part of the body.
const longest = 20_000;

async function within(silence, promise) {
  const timer = setTimeout(() => silence.abort(), longest);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

// The messages of browsers for a lost connection or half a body differ and do not help; a cancelled request is not a
// problem.
async function orProblem(promise, signal) {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : new Problem('The shop cannot be reached.');
  }
}
