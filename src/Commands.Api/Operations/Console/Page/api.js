// Every question of the page: to its own origin, with the key in a header and nowhere else.

const place = 'apexshop.key';
const patience = 8000;

/** An error whose message is a sentence for the reader. */
export class Problem extends Error {
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The key lives as long as this tab does. */
export const key = {
  get: () => sessionStorage.getItem(place),
  keep: (value) => sessionStorage.setItem(place, value),
  forget: () => sessionStorage.removeItem(place),
};

export class Api {
  #key;

  constructor(value) {
    // What cannot stand in a header is no key, and the browser would speak of something else.
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Problem('This key is not known.', 401);
    this.#key = value;
  }

  /** The answer as an object; null where there is none. */
  async json(path, { method = 'GET', signal } = {}) {
    const response = await this.open(path, { method, signal: within(signal) });
    if (response.status === 204) return null;
    return response.json().catch(() => {
      throw new Problem('The answer broke off.');
    });
  }

  /** The answer as text. */
  async text(path, { signal } = {}) {
    const response = await this.open(path, { signal: within(signal), accept: 'application/x-ndjson' });
    return response.text();
  }

  /** The answer as it begins; whoever opens it reads it. */
  async open(path, { method = 'GET', signal, accept = 'application/json', headers = {} } = {}) {
    let response;
    try {
      const all = { ...headers, accept, authorization: `Bearer ${this.#key}` };
      response = await fetch(path, { method, signal, headers: all, cache: 'no-store', redirect: 'error' });
    } catch (error) {
      throw error.name === 'AbortError' ? error : new Problem('Commands.Api does not answer.');
    }
    if (response.ok) return response;
    const { detail, title, code } = await response.json().catch(() => ({}));
    throw new Problem(sentence(response.status, detail ?? title), response.status, code);
  }
}

function sentence(status, said) {
  if (status === 401) return 'This key is not known.';
  if (status === 403) return 'This key may not do that.';
  return said ?? `Commands.Api answered with ${status}.`;
}

// Who waits for ever sees nothing, and no error either.
function within(signal) {
  const time = AbortSignal.timeout(patience);
  return signal ? AbortSignal.any([signal, time]) : time;
}

/** Ends after a time, or at once when the signal does. */
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
