// The attempts to execute one command. They have one key until one of them has a final response, so that a command
// whose response was lost is not executed twice.

const reusedKey = 'idempotency.key_reused';

export class Attempts {
  #send;
  #key = newKey();
  #sent = [];

  /** `send` sends a body with a key, and returns the value of the response. */
  constructor(send) {
    this.#send = send;
  }

  /** Sends a body. `isEarlier` means that an earlier attempt with another body was executed, and this one was not. */
  async send(body) {
    if (this.#sent.at(-1) !== body) this.#sent.push(body);
    try {
      const value = await this.#send(body, this.#key);
      this.renewKey();
      return { value, isEarlier: false };
    } catch (problem) {
      if (isFinal(problem)) this.renewKey();
      if (problem.code !== reusedKey) throw problem;
    }
    const value = await this.#earlier();
    if (value) return { value, isEarlier: true };
    // The attempt that has the key was refused, so no command was executed.
    this.renewKey();
    return this.send(body);
  }

  /** The next attempt is another command. */
  renewKey() {
    [this.#key, this.#sent] = [newKey(), []];
  }

  // One of the bodies has the key, and its response is sent again.
  async #earlier() {
    for (const body of this.#sent) {
      try {
        return await this.#send(body, this.#key);
      } catch (problem) {
        if (isFinal(problem)) return undefined;
        if (problem.code !== reusedKey) throw problem;
      }
    }
    return undefined;
  }
}

// The response means that the command was not executed, and will not be with this key.
function isFinal({ status, code }) {
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status) && !code?.startsWith('idempotency.');
}

// Not randomUUID, which browsers have on secure origins only.
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
