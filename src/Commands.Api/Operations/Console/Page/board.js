// What GET /admin/pipeline says, in its places on the page.

import { Chart } from './chart.js';
import { History } from './history.js';
import { age, copy, count, many, none, percent, rate, set, show, silence } from './words.js';

export class Board {
  #root;
  #history = new History();
  #charts;

  constructor(root) {
    this.#root = root;
    const figure = (id) => root.querySelector(`#${id}`);
    this.#charts = [
      new Chart(figure('throughput'), [
        { name: 'appended', of: (sample) => sample.appended },
        { name: 'applied', of: (sample) => sample.applied },
      ], rate),
      new Chart(figure('latency'), [
        { name: 'half within', of: (sample) => sample.p50 },
        { name: '99 % within', of: (sample) => sample.p99 },
      ], age),
      new Chart(figure('lag'), [{ name: 'oldest event not applied', of: (sample) => sample.lag }], age),
      new Chart(figure('hits'), [
        { name: 'memory', of: (sample) => sample.memory },
        { name: 'Redis', of: (sample) => sample.redis },
      ], percent, 1),
    ];
  }

  show(status) {
    delete this.#root.dataset.state;
    const now = Date.now();
    this.#history.add(status, now);
    this.#showLog(status.log);
    this.#showProjection(status.projection, status.log);
    this.#showCache(status.cache);
    this.#showResources(status);
    this.#showRebuild(status.projection.rebuild);
    this.#draw(now);
  }

  /** Nothing is known now; what was known stays, and looks it. */
  lose() {
    this.#root.dataset.state = 'unavailable';
    const now = Date.now();
    this.#history.miss(now);
    this.#draw(now);
  }

  clear() {
    this.#history = new History();
    this.#root.querySelector('#resources tbody').replaceChildren();
  }

  #draw(now) {
    for (const chart of this.#charts) chart.draw(this.#history.samples, now);
  }

  #showLog(log) {
    const leads = { this: 'led by this process', another: 'led by another process', none: 'nobody leads' }[log.leader];
    const state = log.state === 'ok' && log.leader === 'none' ? 'alarm' : log.state;
    if (log.state !== 'ok') {
      for (const step of ['outbox', 'log', 'published']) show(this.#step(step), none, silence(log.state, 'The database'), log.state);
      return;
    }
    show(this.#step('outbox'), count(log.outbox), log.outbox ? `oldest ${age(log.outboxAgeSeconds)}` : 'empty');
    show(this.#step('log'), count(log.head), leads, state);
    show(this.#step('published'), count(log.published), log.head === log.published ? 'all' : `${count(log.head - log.published)} to go`);
  }

  #showProjection({ state, status, processes, queueDepth, lagEvents, lagSeconds }, { head }) {
    const gone = processes.filter((process) => process.state === 'unavailable').length;
    if (state !== 'ok') {
      const words = silence(state, 'The Projector', 'admin');
      for (const place of [this.#step('queue'), this.#step('applied'), ...['lag', 'parked', 'letters'].map((name) => this.#tile(name))]) {
        show(place, none, words, state);
      }
      return;
    }
    show(this.#step('queue'), count(queueDepth), queueDepth == null ? 'not told' : 'messages wait');
    const some = gone ? `${gone} of ${many(processes.length, 'Projector', 'Projectors')} unavailable` : '';
    const words = status.logBreak ?? (some || (lagEvents ? `${count(lagEvents)} behind` : 'all'));
    show(this.#step('applied'), count(lagEvents == null || head == null ? null : head - lagEvents), words, gone || status.logBreak ? 'alarm' : 'ok');
    show(this.#tile('lag'), age(lagSeconds), lagSeconds == null ? 'the log is unavailable' : many(lagEvents, 'event', 'events'));
    const { parkedAggregates, parkedEvents, deadLetters } = status;
    show(this.#tile('parked'), count(parkedAggregates), many(parkedEvents, 'event', 'events'), parkedAggregates ? 'alarm' : 'ok');
    show(this.#tile('letters'), count(deadLetters), deadLetters == null ? 'not known' : deadLetters ? 'messages' : 'none', deadLetters ? 'alarm' : 'ok');
  }

  #showCache({ state, memoryHitRatio, redisHitRatio, processes }) {
    if (state !== 'ok') return show(this.#tile('cache'), none, silence(state, 'Queries.Api', 'metrics:read'), state);
    const gone = processes.filter((process) => process.state === 'unavailable').length;
    const words = memoryHitRatio == null ? 'no answers yet' : `memory ${percent(memoryHitRatio)}, Redis ${percent(redisHitRatio)}`;
    const some = gone ? `${gone} of ${processes.length} unavailable; ` : '';
    show(this.#tile('cache'), percent(memoryHitRatio == null ? null : memoryHitRatio + redisHitRatio), some + words, gone ? 'alarm' : 'ok');
  }

  #showResources({ log, projection }) {
    const body = this.#root.querySelector('#resources tbody');
    for (const name of Object.keys(log.positions ?? projection.status?.positions ?? {})) {
      const row = [...body.rows].find((one) => one.dataset.name === name) ?? body.appendChild(copy('resource'));
      row.dataset.name = name;
      const lag = projection.lag?.[name];
      set(row.cells[0], name);
      set(row.cells[1], count(log.positions?.[name]));
      set(row.cells[2], projection.state === 'ok' ? count(projection.status.positions[name]) : projection.state);
      set(row.cells[3], count(lag?.events));
      set(row.cells[4], lag ? age(lag.seconds) : none);
    }
  }

  #showRebuild(rebuild) {
    const section = this.#root.querySelector('#rebuild');
    const isRunning = rebuild?.state === 'running';
    section.hidden = !isRunning && rebuild?.state !== 'failed';
    if (section.hidden) return;
    const { done, total } = rebuild;
    const bar = section.querySelector('progress');
    bar.hidden = !isRunning;
    if (total) bar.value = done / total;
    else bar.removeAttribute('value');
    const running = `${rebuild.phase}, ${count(done)} of ${count(total)} documents, ${age(rebuild.seconds)} so far. ${rebuild.cause}`;
    set(section.querySelector('.note'), isRunning ? running : `The last one failed while ${rebuild.phase}: ${rebuild.failure}`);
  }

  #step(name) {
    return this.#root.querySelector(`[data-step=${name}]`);
  }

  #tile(name) {
    return this.#root.querySelector(`[data-tile=${name}]`);
  }
}
