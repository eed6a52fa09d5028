// New events of the log: from the live stream or, where there is none, by polling.

import { parts, pause } from './api.js';

const retryDelay = 1000;
const pageSize = 500;
const firstEvents = 30;
const replaced = 'The event log was replaced, by a restore or another server. These are the events of the new log.';

/** Adds events to a list, and shows there why they cannot be read. */
export class EventStream {
  #api;
  #list;
  // A position, after the first response with the identity of its log: the log refuses a position of another one.
  #id;
  #status = '';

  constructor(api, head, list) {
    this.#api = api;
    this.#list = list;
    this.#beginBefore(head);
  }

  async run(signal) {
    let isLive = true;
    while (!signal.aborted) {
      try {
        await (isLive ? this.#follow(signal) : this.#poll(signal));
        if (isLive) this.#list.setStatus('The stream of events ended; reconnecting.');
      } catch (problem) {
        if (signal.aborted) return;
        if (problem.status === 403) {
          return this.#list.setStatus('This key may not read all events (scopes events:read, orders:read, users:read).');
        }

        if (problem.status === 404) isLive = false;
        else if (problem.code === 'log.replaced') this.#beginAgain(problem.head);
        else if (problem.code === 'events.beyond_head') this.#beginAgain(problem.after);
        else this.#list.setStatus(`Events cannot be read: ${problem.message ?? problem.code}`);
      }
      await pause(retryDelay, signal);
    }
  }

  async #follow(signal) {
    const headers = { 'last-event-id': this.#id };
    const response = await this.#api.open('/events/live?incomplete=true', { signal, headers, accept: 'text/event-stream' });
    this.#list.setStatus(this.#status);
    for await (const record of parts(response, '\n\n', signal)) {
      const { id, event, data } = parse(record);
      if (event === 'error') throw JSON.parse(data).error;
      this.#id = id ?? this.#id;
      if (data) this.#list.add(data);
    }
  }

  async #poll(signal) {
    const [position, log] = this.#id.split(':').reverse();
    const from = log ? `after=${position}&log=${log}` : `after=${position}`;
    const text = await this.#api.text(`/events?${from}&limit=${pageSize}&incomplete=true`, { signal });
    this.#list.setStatus(this.#status);
    for (const line of text.split('\n').filter(Boolean)) {
      const { sequence, logid, error } = JSON.parse(line);
      if (error) return;
      this.#id = `${logid}:${Number(sequence)}`;
      this.#list.add(line);
    }
  }

  #beginBefore(head) {
    this.#id = String(Math.max(0, head - firstEvents));
  }

  #beginAgain(head) {
    this.#beginBefore(head);
    this.#status = replaced;
    this.#list.clear();
    this.#list.setStatus(replaced);
  }
}

// The fields of a record of server-sent events; the data of this server is one line.
function parse(record) {
  const fields = record.split('\n').map((line) => /^([^:]+): (.*)$/.exec(line)).filter(Boolean);
  return Object.fromEntries(fields.map(([, name, value]) => [name, value]));
}
