// Every process of the shop with the state of each of its dependencies.

import { copyTemplate, setText } from './format.js';

const names = {
  postgres: 'PostgreSQL',
  rabbitmq: 'RabbitMQ',
  redis: 'Redis',
  eventLog: 'Event log',
  documentsOfThisLog: 'Documents of this log',
  cacheTags: 'Cache tags',
};

export class Processes {
  #list;

  constructor(list) {
    this.#list = list;
  }

  show(processes) {
    this.#resize(this.#list, processes.length, 'process');
    processes.forEach((process, index) => this.#showProcess(this.#list.children[index], process));
  }

  /** The process that reports the others does not respond. */
  showUnavailable() {
    const own = this.#list.firstElementChild;
    if (!own) return;
    own.dataset.state = 'unavailable';
    setText(own.querySelector('.note'), 'unavailable');
    own.querySelector('.checks').replaceChildren();
  }

  clear() {
    this.#list.replaceChildren();
  }

  #showProcess(item, { name, url, state, checks }) {
    const entries = Object.entries(checks ?? {});
    const isImpaired = state !== 'ready' || entries.some(([, check]) => check !== 'ok');
    item.dataset.state = state === 'unavailable' ? 'unavailable' : isImpaired ? 'alarm' : 'ok';
    setText(item.querySelector('h3'), name);
    setText(item.querySelector('.url'), url ? new URL(url).host : location.host);
    setText(item.querySelector('.note'), state);
    const list = item.querySelector('.checks');
    this.#resize(list, entries.length, 'check');
    entries.forEach(([check, checkState], index) => {
      list.children[index].dataset.state = checkState;
      setText(list.children[index], `${names[check] ?? check}: ${checkState}`);
    });
  }

  // Items are reused, so that a screen reader does not read the list again each second.
  #resize(list, length, template) {
    while (list.children.length > length) list.lastElementChild.remove();
    while (list.children.length < length) list.append(copyTemplate(template));
  }
}
