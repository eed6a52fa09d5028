// The two APIs of the shop with one key: commands at this origin, documents at that of Queries.Api.

import { Api, pause, stored } from '/console/api.js';

const tokenTime = 10_000;
// A page that is loaded again shows the last changes too.
const tokenPlace = 'apexshop.tokens';
// As many as a read may have. The token of a command does not include an earlier command on another resource.
const mostTokens = 8;

export class Shop {
  #commands;
  #queries;
  // [token, end] of the last commands.
  #tokens;

  constructor(key) {
    this.#tokens = JSON.parse(stored.get(tokenPlace)) ?? [];
    this.#commands = new Api(key);
    this.#queries = new Api(key, document.documentElement.dataset.queries, 'Queries.Api');
  }

  /** Reads documents; soon after a command they contain its change. */
  async read(path, signal) {
    const tokens = this.#tokens.filter(([, end]) => Date.now() < end).map(([token]) => token).join(', ');
    try {
      return await this.#queries.json(path, { signal, headers: tokens ? { 'consistency-token': tokens } : {} });
    } catch (problem) {
      // The change is late, or the shop was restored. What is there is better than nothing.
      if (signal?.aborted || !tokens || !problem.code?.startsWith('consistency.')) throw problem;
      this.#tokens = [];
      stored.remove(tokenPlace);
      return this.read(path, signal).catch((other) => {
        // A document that was just created is not missing.
        throw other.status === 404 ? problem : other;
      });
    }
  }

  /** A document that has at least this version; after a while whatever there is. */
  async readVersion(path, version, signal) {
    for (let tries = 0; ; tries++) {
      const found = await this.read(path, signal);
      if (found.version >= version || tries === 20) return found;
      await pause(150, signal);
    }
  }

  /** Reads what Commands.Api serves itself. */
  async ask(path, signal) {
    return this.#commands.json(path, { signal });
  }

  /**
   * Sends a command, and returns its response and whether it had been executed before. `version` makes it depend on
   * that version, `key` safe to repeat.
   */
  async send(method, path, body, options = {}) {
    return this.#send(method, path, body === undefined ? undefined : JSON.stringify(body), options);
  }

  /** The same with a list of lines. */
  async sendLines(path, text, options) {
    return this.#send('POST', path, text, { ...options, type: 'application/x-ndjson' });
  }

  /** Replaces a list and returns the lines of the response; a list of few resources is answered by one. */
  async replace(path, items, signal) {
    const read = async (response) => fromLines(await response.text());
    const { value } = await this.#send('PUT', path, JSON.stringify(items), { signal, read });
    this.#keep(value.findLast((line) => line.consistencyToken)?.consistencyToken);
    return value;
  }

  /** The events of an aggregate after a position. */
  async events(subject, after, limit, signal) {
    return fromLines(
      await this.#commands.text(`/events?aggregate=${subject}&after=${after}&limit=${limit}`, { signal }));
  }

  async #send(method, path, body, { version, key, signal, read, type = 'application/json' }) {
    const headers = { 'content-type': type };
    if (version !== undefined) headers['if-match'] = `"${version}"`;
    if (key) headers['idempotency-key'] = key;
    const response = await this.#commands.send(path, { method, headers, body, signal, read });
    this.#keep(response.headers.get('consistency-token'));
    return { value: response.value, isRepeated: response.headers.has('idempotency-replayed') };
  }

  #keep(token) {
    if (!token) return;
    const others = this.#tokens.filter(([other]) => other !== token);
    this.#tokens = [...others, [token, Date.now() + tokenTime]].slice(-mostTokens);
    stored.set(tokenPlace, JSON.stringify(this.#tokens));
  }
}

function fromLines(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}
