// The events as they are appended to the log: from the live stream, or where there is none, by asking again and again.

import { pause } from './api.js';

const again = 1000;
const chunk = 500;

/** Hands on what comes as { position, text } and says in words what hinders it. */
export class EventStream {
  #api;
  #take;
  #say;
  #last;

  constructor(api, after, take, say) {
    this.#api = api;
    this.#last = after;
    this.#take = take;
    this.#say = say;
  }

  async run(signal) {
    let isLive = true;
    while (!signal.aborted) {
      try {
        await (isLive ? this.#follow(signal) : this.#ask(signal));
        if (isLive) this.#say('The stream of events ended; going on.');
      } catch (problem) {
        if (signal.aborted) return;
        if (problem.status === 403) return this.#say('This key may not read events (scope events:read).');
        if (problem.status === 404) isLive = false;
        else this.#say(`Events are not followed now: ${problem.message}`);
      }
      await pause(again, signal);
    }
  }

  async #follow(signal) {
    const headers = { 'last-event-id': String(this.#last) };
    const response = await this.#api.open('/events/live', { signal, headers, accept: 'text/event-stream' });
    this.#say('');
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

  async #ask(signal) {
    const text = await this.#api.text(`/events?after=${this.#last}&limit=${chunk}`, { signal });
    this.#say('');
    const lines = text.split('\n').filter(Boolean);
    this.#pass(lines.map((line) => ({ position: Number(/"sequence":"(\d+)"/.exec(line)?.[1]), text: line })));
  }

  #pass(events) {
    const fresh = events.filter((event) => event.position > this.#last);
    if (!fresh.length) return;
    this.#last = fresh.at(-1).position;
    this.#take(fresh);
  }
}

function parse(block) {
  const data = [];
  let position;
  for (const line of block.split('\n')) {
    const [, field, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') position = Number(value);
    if (field === 'data') data.push(value);
  }
  return { position, text: data.join('\n') };
}
