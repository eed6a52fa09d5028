// All requests of the page, with the key in a header and nowhere else: to its own origin, or to that of another API.

const storageName = 'apexshop.key';
const timeout = 8000;
// A change of many documents takes longer than reading a status.
const changeTimeout = 60_000;

// The form of all codes of docs/errors.md except internal, which no page needs. A proxy has others, such as Forbidden
// or a number.
const isOfShop = (code) => typeof code === 'string' && /^[a-z_]+\.[a-z_]+$/.test(code);

/** An error whose message is a sentence for the operator. */
export class Problem extends Error {
  /**
   * Where an error of the shop, not of a proxy, has them: `head` is the position of the log's last event, `errors` the
   * reasons by the path of the member, `version` the current one, and `current` those of a list.
   */
  constructor(message, { status, code, head, errors, version, current } = {}) {
    super(message);
    Object.assign(this, { status, ...(isOfShop(code) && { code, head, errors, version, current }) });
  }
}

// A browser that stores nothing keeps them until the page is left.
const held = new Map();

function orElse(use, instead) {
  try {
    return use();
  } catch {
    return instead();
  }
}

/** Texts that are kept until the tab is closed. */
export const stored = {
  get: (name) => held.get(name) ?? orElse(() => sessionStorage.getItem(name), () => null),
  set: (name, text) => {
    held.delete(name);
    orElse(() => sessionStorage.setItem(name, text), () => held.set(name, text));
  },
  remove: (name) => {
    held.delete(name);
    orElse(() => sessionStorage.removeItem(name), () => {});
  },
};

/** The key. */
export const key = {
  get: () => stored.get(storageName),
  set: (value) => stored.set(storageName, value),
  remove: () => stored.remove(storageName),
};

/** Another page may have removed or replaced the key since the browser kept this one, which has the key `used()`. */
export function onKeptPage(used, askForKey) {
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || key.get() === used()) return;
    if (key.get()) location.reload();
    else askForKey('');
  });
}

export class Api {
  #key;
  #base;
  #name;

  constructor(value, base = '', name = 'Commands.Api') {
    // The browser refuses other characters in a header, with an error about something else.
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Problem('This key is not valid.', { status: 401 });
    [this.#key, this.#base, this.#name] = [value, base, name];
  }

  /** The response body as an object; null when there is none. */
  async json(path, options) {
    return (await this.send(path, options)).value;
  }

  /** The response body as text. */
  async text(path, options) {
    return (await this.send(path, { ...options, accept: 'application/x-ndjson', read: (body) => body.text() })).value;
  }

  /** The body, read in one of these ways, and the headers of the response. */
  async send(path, { method = 'GET', signal, read = (body) => body.json(), ...options } = {}) {
    const limited = withTimeout(signal, method === 'GET' ? timeout : changeTimeout);
    const response = await this.open(path, { ...options, method, signal: limited });
    const { headers } = response;
    if (response.status === 204) return { value: null, headers };
    const value = await read(response).catch(() => {
      throw new Problem('The response is incomplete.');
    });
    // The key can be removed after the body has arrived; its data is then not shown.
    signal?.throwIfAborted();
    return { value, headers };
  }

  /** The response, whose body the caller reads. */
  async open(path, { method = 'GET', signal, accept = 'application/json', headers = {}, body } = {}) {
    let response;
    try {
      const all = { ...headers, accept, authorization: `Bearer ${this.#key}` };
      const request = { method, signal, headers: all, body, cache: 'no-store', redirect: 'error' };
      response = await fetch(this.#base + path, request);
    } catch (error) {
      throw error.name === 'AbortError' ? error : new Problem(`${this.#name} is unavailable.`);
    }
    if (response.ok) return response;
    const { status } = response;
    const problem = await response.json().catch(() => ({}));
    const sentence = problem.detail ?? problem.title ?? `${this.#name} responded with ${status}.`;
    throw new Problem(message(status, sentence), { ...problem, status });
  }
}

/** The parts of a response that end with a separator, as they arrive. */
export async function* parts(response, separator, signal) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw new Problem('The connection to Commands.Api was lost.');
      });
      if (done) return;
      signal.throwIfAborted();
      const complete = (rest + value).split(separator);
      rest = complete.pop();
      yield* complete.filter(Boolean);
    }
  } finally {
    // A caller that stops early leaves no open connection. Cancelling a stream that has failed fails too.
    await reader.cancel().catch(() => {});
  }
}

function message(status, detail) {
  if (status === 401) return 'This key is not valid.';
  if (status === 403) return 'This key does not have the necessary scope.';
  return detail;
}

function withTimeout(signal, milliseconds) {
  const timer = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([signal, timer]) : timer;
}

/** Waits for a time, or until the signal is aborted. */
export function pause(milliseconds, signal) {
  return new Promise((done) => {
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    }
  });
}
