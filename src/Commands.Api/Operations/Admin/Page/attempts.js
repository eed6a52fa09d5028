// The attempts to execute one command. They have one key until a response is stored with it, so that a command whose
// response was lost is not executed twice.

const reusedKey = 'idempotency.key_reused';
// Half of the time for which any shop stores a response (Idempotency:Lifetime): the rest is for a slow request.
const repeatableTime = 30 * 60 * 1000;
const tooOld = 'It is not known whether an earlier attempt was executed, and it is too old to be repeated. Look in '
  + 'another tab at what is stored, and try again only if the change is missing.';

export class Attempts {
  #send;
  #key = newKey();
  #since;
  // The bodies of attempts that may have been executed.
  #sent = [];

  /** `send` sends a body with a key, and returns the value of the response. */
  constructor(send) {
    this.#send = send;
  }

  /** Sends a body. `isEarlier` means that an earlier attempt with another body was executed, and this one was not. */
  async send(body) {
    if (!this.#sent.length) this.#since = Date.now();
    else if (!this.#isRecent) {
      this.renewKey();
      throw new Error(tooOld);
    }
    this.#sent.push(body);
    try {
      const value = await this.#send(body, this.#key);
      this.renewKey();
      return { value, isEarlier: false };
    } catch (problem) {
      if (isStored(problem)) this.renewKey();
      // This attempt was not executed, and the response says nothing about earlier ones. A proxy's has no code.
      else if (problem.code && problem.status >= 400 && problem.status < 500) this.#sent.pop();
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

  // The clock may have been set back.
  get #isRecent() {
    const age = Date.now() - this.#since;
    return age >= 0 && age < repeatableTime;
  }

  // One of the bodies has the key, and its response is sent again.
  async #earlier() {
    for (const body of this.#sent) {
      try {
        return await this.#send(body, this.#key);
      } catch (problem) {
        if (isStored(problem)) return undefined;
        const isInvalid = problem.code && problem.status === 400;
        if (problem.code !== reusedKey && !isInvalid) throw problem;
      }
    }
    return undefined;
  }
}

// The shop stores this refusal with the key: the command was not executed, and will not be with this key. Other ones,
// such as that of an invalid body (400), are made before the key is looked up, or are not stored. That of a proxy
// has no code.
function isStored({ status, code }) {
  return Boolean(code) && [404, 409, 412, 422, 428].includes(status)
    && code !== 'version.overtaken' && !code.startsWith('idempotency.');
}

// Not randomUUID, which browsers have on secure origins only.
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
