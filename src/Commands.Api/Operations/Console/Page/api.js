// All requests of the page: to its own origin, with the key in a header and nowhere else.

const storageName = 'apexshop.key';
const timeout = 8000;
// A change of many documents takes longer than reading a status.
const changeTimeout = 60_000;

/** An error whose message is a sentence for the operator. */
export class Problem extends Error {
  /** `head` is the position of the log's last event, where the error has it. */
  constructor(message, { status, code, head } = {}) {
    super(message);
    Object.assign(this, { status, code, head });
  }
}

/** The key, which is kept until the tab is closed. */
export const key = {
  get: () => sessionStorage.getItem(storageName),
  set: (value) => sessionStorage.setItem(storageName, value),
  remove: () => sessionStorage.removeItem(storageName),
};

export class Api {
  #key;

  constructor(value) {
    // The browser refuses other characters in a header, with an error about something else.
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Problem('This key is not valid.', { status: 401 });
    this.#key = value;
  }

  /** The response body as an object; null when there is none. */
  async json(path, { method = 'GET', signal } = {}) {
    const response = await this.open(path, {
      method, signal: withTimeout(signal, method === 'GET' ? timeout : changeTimeout),
    });
    if (response.status === 204) return null;
    const value = await response.json().catch(() => {
      throw new Problem('The response is incomplete.');
    });
    // The key can be removed after the body has arrived; its data is then not shown.
    signal?.throwIfAborted();
    return value;
  }

  /** The response body as text. */
  async text(path, { signal } = {}) {
    const response = await this.open(path, { signal: withTimeout(signal, timeout), accept: 'application/x-ndjson' });
    const body = await response.text();
    signal?.throwIfAborted();
    return body;
  }

  /** The response, whose body the caller reads. */
  async open(path, { method = 'GET', signal, accept = 'application/json', headers = {} } = {}) {
    let response;
    try {
      const all = { ...headers, accept, authorization: `Bearer ${this.#key}` };
      response = await fetch(path, { method, signal, headers: all, cache: 'no-store', redirect: 'error' });
    } catch (error) {
      throw error.name === 'AbortError' ? error : new Problem('Commands.Api is unavailable.');
    }
    if (response.ok) return response;
    const { status } = response;
    const { detail, title, code, head } = await response.json().catch(() => ({}));
    throw new Problem(message(status, detail ?? title), { status, code, head });
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
  return detail ?? `Commands.Api responded with ${status}.`;
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
