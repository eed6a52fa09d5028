// New events of the log: from the live stream or, where there is none, by polling.

import { pause } from './api.js';

const retryDelay = 1000;
const pageSize = 500;

/** Calls back with events as { position, text }, and with a text when they cannot be read. */
export class EventStream {
  #api;
  #onEvents;
  #onStatus;
  #last;

  constructor(api, after, onEvents, onStatus) {
    this.#api = api;
    this.#last = after;
    this.#onEvents = onEvents;
    this.#onStatus = onStatus;
  }

  async run(signal) {
    let isLive = true;
    while (!signal.aborted) {
      try {
        await (isLive ? this.#follow(signal) : this.#poll(signal));
        if (isLive) this.#onStatus('The stream of events ended; reconnecting.');
      } catch (problem) {
        if (signal.aborted) return;
        if (problem.status === 403) {
          return this.#onStatus('This key may not read all events (scopes events:read, orders:read, users:read).');
        }

        if (problem.status === 404) isLive = false;
        else this.#onStatus(`Events cannot be read: ${problem.message}`);
      }
      await pause(retryDelay, signal);
    }
  }

  async #follow(signal) {
    const headers = { 'last-event-id': String(this.#last) };
    const response = await this.#api.open('/events/live', { signal, headers, accept: 'text/event-stream' });
    this.#onStatus('');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop();
      this.#pass(blocks.map(parse).filter((event) => event.position && event.text));
    }
  }

  async #poll(signal) {
    const text = await this.#api.text(`/events?after=${this.#last}&limit=${pageSize}`, { signal });
    this.#onStatus('');
    const lines = text.split('\n').filter(Boolean);
    this.#pass(lines.map((line) => ({ position: Number(/"sequence":"(\d+)"/.exec(line)?.[1]), text: line })));
  }

  #pass(events) {
    const fresh = events.filter((event) => event.position > this.#last);
    if (!fresh.length) return;
    this.#last = fresh.at(-1).position;
    this.#onEvents(fresh);
  }
}

function parse(block) {
  const data = [];
  let position;
  for (const line of block.split('\n')) {
    const [, field, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    // The identity of the log, a colon and the position.
    if (field === 'id') position = Number(value.slice(value.indexOf(':') + 1));
    if (field === 'data') data.push(value);
  }
  return { position, text: data.join('\n') };
}
