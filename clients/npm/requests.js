import { problemOf, ShopProblem } from './problem.js';

// The system calls before there is a connection. Browsers do not name the one that failed.
const CONNECTING = ['getaddrinfo', 'connect'];
const UNAVAILABLE = [502, 503, 504];
// An earlier attempt, whose response was lost, is still running.
const IN_PROGRESS = 'idempotency.in_progress';

const isGiven = value => value !== undefined && value !== null;

// An option that is undefined has its default.
const given = options => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

// Executing it twice has the effect of executing it once.
const isRepeatable = request => isGiven(request.idempotencyKey) || request.method === 'GET';

// Whether no connection was made. A host with several addresses has an error for each of them.
function isNotSent({ cause }) {
  if (cause?.code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return (cause?.errors ?? [cause]).every(error => CONNECTING.includes(error?.syscall));
}

// A command without an Idempotency-Key is repeated only if it was certainly not executed.
function canRepeat(request, error) {
  if (!(error instanceof ShopProblem)) return isRepeatable(request) || isNotSent(error);
  if (error.status === 429) return true;
  if (error.code === IN_PROGRESS) return isRepeatable(request);
  return UNAVAILABLE.includes(error.status) && isRepeatable(request);
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, milliseconds);
    const stop = () => { clearTimeout(timer); reject(signal.reason); };
    signal?.addEventListener('abort', stop, { once: true });
    function end() { signal?.removeEventListener('abort', stop); resolve(); }
  });
}

/** What an Idempotency-Key is made of; crypto.randomUUID is missing in pages without TLS. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

// A timer of a longer time, or of Infinity, would end at once.
const LONGEST_TIMER = 2 ** 31 - 1;

function startTimer(end, milliseconds, message) {
  return setTimeout(() => end(new DOMException(message, 'TimeoutError')), Math.min(milliseconds, LONGEST_TIMER));
}

// The time between two reads is that of the caller, and does not count.
async function readWithin(reader, limit) {
  let timer;
  const idle = new Promise((_, reject) => {
    timer = startTimer(reject, limit, `No byte of the stream within ${limit} ms (streamIdleTimeout).`);
  });
  try {
    return await Promise.race([reader.read(), idle]);
  } finally {
    clearTimeout(timer);
  }
}

// More are refused.
const KEPT_TOKENS = 8;

/** Sends requests of one caller to both APIs, and keeps the tokens of its last commands. */
export class Requests {
  #tokens = [];

  // Private, because the key must not be in a log or in JSON.
  #options;

  constructor(options) {
    this.#options = {
      timeout: 30_000, longTimeout: 300_000, streamIdleTimeout: 60_000, retries: 4, retryDelay: 200,
      longestRetryDelay: 30_000, fetch: (...request) => globalThis.fetch(...request), ...given(options),
    };
  }

  /** With commas between them, the newest last; null without one. */
  get tokens() {
    return this.#tokens.join(', ') || null;
  }

  set tokens(text) {
    this.#keep((text ?? '').split(',').map(token => token.trim()).filter(token => token));
  }

  with(key) {
    const other = new Requests({ ...this.#options, key });
    other.tokens = this.tokens;
    return other;
  }

  // One token is not enough: it does not include an earlier command that changed another resource.
  /** Keeps a token as the newest, even if it is kept already, and removes the tokens that it includes. */
  keep(token, included = []) {
    this.#keep([...this.#tokens.filter(kept => kept !== token && !included.includes(kept)), token]);
  }

  #keep(tokens) {
    this.#tokens = [...new Set(tokens)].slice(-KEPT_TOKENS);
  }

  // The refusal does not name the token that the shop does not accept. One from before a change of the shop's key is
  // older than all that are accepted.
  #removeOldest(refused) {
    const [oldest] = refused.split(', ');
    this.#tokens = this.#tokens.filter(token => token !== oldest);
  }

  async json(request) {
    return (await this.send(request)).body;
  }

  /** The lines of a response while they arrive; one that is interrupted or idle ends with an error. */
  async *lines(request) {
    const { response } = await this.send({ ...request, accept: 'application/x-ndjson', isStream: true });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (;;) {
        const { done, value } = await readWithin(reader, this.#options.streamIdleTimeout);
        if (done) break;
        const parts = (rest + value).split('\n');
        rest = parts.pop();
        for (const line of parts) yield JSON.parse(line);
      }

      // The shop ends every line.
      if (rest) throw new TypeError('The response ends within a line.');
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** The response, also 304, after as many attempts as the policy permits. */
  async send(request) {
    request.signal?.throwIfAborted();
    // Without the header the change would be made whatever the version is. A document that was read without its version
    // has an undefined one.
    if ('ifMatch' in request && !isGiven(request.ifMatch)) throw new TypeError(`ifMatch is ${request.ifMatch}.`);
    let since = performance.now();
    for (let attempt = 0; ; attempt++) {
      const sent = request.method === 'GET' ? this.tokens : null;
      try {
        return await this.#attempt(request, sent);
      } catch (error) {
        if (sent && error.code === 'consistency.token_malformed') {
          this.#removeOldest(sent);
          // Not one of the retries: there are as many such attempts as tokens.
          attempt--;
          continue;
        }

        const isRunning = error.code === IN_PROGRESS && performance.now() - since < this.#limitOf(request);
        const wait = this.#pauseAfter(request, isRunning ? 0 : attempt, error);
        if (request.signal?.aborted || wait === undefined) throw error;
        await pause(wait, request.signal);
        // Not one of the retries either: the attempt that is still running ends within its time.
        if (isRunning) attempt--;
        else since = performance.now();
      }
    }
  }

  #limitOf(request) { return request.isLong ? this.#options.longTimeout : this.#options.timeout; }

  // The random part keeps clients that were refused together from returning together.
  #pauseAfter(request, attempt, error) {
    const { retries, retryDelay, longestRetryDelay } = this.#options;
    const atLeast = (error.retryAfter ?? 0) * 1000;
    if (attempt >= retries || atLeast > longestRetryDelay || !canRepeat(request, error)) return undefined;
    if (atLeast > 0) return atLeast + retryDelay * Math.random();
    return Math.min(retryDelay * 2 ** attempt, longestRetryDelay) * (1 - Math.random() / 2);
  }

  // The body is a part of the attempt, unless it is a stream: a response that is cut off is a lost response.
  async #attempt(request, sent) {
    const late = new AbortController();
    const { fetch } = this.#options;
    const limit = this.#limitOf(request);
    const timer = startTimer(reason => late.abort(reason), limit, `No response within ${limit} ms.`);
    const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
    try {
      const response = await fetch(this.#address(request), {
        method: request.method, headers: this.#headers(request, sent), body: request.body, signal,
        // A redirect would turn a POST into a GET, whose response would be taken for that of the command.
        redirect: 'manual',
      });
      const token = response.headers.get('Consistency-Token');
      // Of a sign-in it names the customer's document; all later reads of this client would wait for it.
      if (token && !request.isSignIn) this.keep(token);
      if (response.ok && request.isStream) return { response };
      const text = await response.text();
      if (response.ok) return { response, body: text ? JSON.parse(text) : undefined };
      if (response.status === 304) return { response };
      throw problemOf(response, text);
    } finally {
      clearTimeout(timer);
    }
  }

  #address({ method, path, query }) {
    const { commands, queries } = this.#options;
    const folder = String(method === 'GET' ? queries : commands).replace(/\/?$/, '/');
    const address = new URL(path, folder);
    for (const [name, value] of Object.entries(query ?? {}))
      if (isGiven(value)) address.searchParams.set(name, String(value));
    return address;
  }

  #headers(request, sent) {
    const values = {
      Accept: request.accept,
      Authorization: this.#options.key ? `Bearer ${this.#options.key}` : undefined,
      'Consistency-Token': sent,
      'Content-Type': request.body === undefined ? undefined : request.contentType ?? 'application/json',
      'Idempotency-Key': request.idempotencyKey,
      'If-Match': typeof request.ifMatch === 'number' ? `"${request.ifMatch}"` : request.ifMatch,
      'If-None-Match': request.ifNoneMatch || undefined,
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => isGiven(value)));
  }
}
