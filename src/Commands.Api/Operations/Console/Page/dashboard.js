// Shows the response of GET /admin/pipeline.

import { Chart } from './chart.js';
import { copyTemplate, count, countUpTo, duration, none, percent, plural, rate, setText, show, stateText } from './format.js';
import { History } from './history.js';
import { Processes } from './processes.js';

// Seconds, after which a step is late; docs/operations.md.
const late = 10;

// The events of one resource that do not show yet are not counted beyond this number.
const mostCounted = 10_000;

const messages = (number) => (number === 1 ? 'message' : 'messages');

export class Dashboard {
  #root;
  #history = new History();
  #charts;
  #processes;

  constructor(root) {
    this.#root = root;
    this.#processes = new Processes(root.querySelector('.processes'));
    const figure = (id) => root.querySelector(`#${id}`);
    this.#charts = [
      new Chart(figure('throughput'), [
        { name: 'appended', of: (sample) => sample.appended },
        { name: 'applied', of: (sample) => sample.applied },
      ], rate),
      new Chart(figure('latency'), [
        { name: 'median', of: (sample) => sample.p50 },
        { name: '99th percentile', of: (sample) => sample.p99 },
      ], duration),
      new Chart(figure('lag'), [{ name: 'oldest event not applied', of: (sample) => sample.lag }], duration),
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
    this.#processes.show(status.processes);
    this.#draw(now);
  }

  /** Marks what is shown as out of date. */
  showUnavailable() {
    this.#root.dataset.state = 'unavailable';
    this.#processes.showUnavailable();
    const now = Date.now();
    this.#history.addGap(now);
    this.#draw(now);
  }

  clear() {
    delete this.#root.dataset.state;
    this.#history = new History();
    this.#draw(Date.now());
    for (const element of this.#root.querySelectorAll('[data-step], [data-tile]')) show(element, '', '');
    this.#processes.clear();
    this.#root.querySelector('#resources tbody').replaceChildren();
  }

  #draw(now) {
    for (const chart of this.#charts) chart.draw(this.#history.samples, now);
  }

  #showLog(log) {
    const leader = { this: 'led by this process', another: 'led by another process', none: 'no leader' }[log.leader];
    const state = log.state === 'ok' && log.leader === 'none' ? 'alarm' : log.state;
    if (log.state !== 'ok') {
      for (const step of ['outbox', 'log', 'published']) show(this.#step(step), none, stateText(log.state, 'the database'), log.state);
      return;
    }
    show(this.#step('outbox'), count(log.outbox), log.outbox ? `oldest ${duration(log.outboxAgeSeconds)}` : 'empty', log.outboxAgeSeconds > late ? 'alarm' : 'ok');
    show(this.#step('log'), count(log.head), leader, state);
    show(this.#step('published'), count(log.published), log.head === log.published ? 'all' : `${count(log.head - log.published)} not confirmed`);
  }

  #showProjection({ state, status, processes, queueDepth, lagEvents, lagSeconds }, { head }) {
    const unavailable = processes.filter((process) => process.state === 'unavailable').length;
    if (state !== 'ok') {
      const text = stateText(state, 'the Projector', 'admin');
      for (const element of [this.#step('queue'), this.#step('applied'), ...['lag', 'parked', 'letters'].map((name) => this.#tile(name))]) {
        show(element, none, text, state);
      }
      return;
    }
    show(this.#step('queue'), count(queueDepth), queueDepth == null ? 'not reported' : messages(queueDepth));
    const some = unavailable ? `${unavailable} of ${plural(processes.length, 'Projector', 'Projectors')} unavailable` : '';
    const text = status.logBreak ?? (some || (lagEvents ? `${count(lagEvents)} behind` : 'all'));
    show(this.#step('applied'), count(lagEvents == null || head == null ? null : head - lagEvents), text, unavailable || status.logBreak ? 'alarm' : 'ok');
    show(this.#tile('lag'), duration(lagSeconds), lagSeconds == null ? 'the log is unavailable' : plural(lagEvents, 'event', 'events'), lagSeconds > late ? 'alarm' : 'ok');
    const { parkedAggregates, parkedEvents, deadLetters } = status;
    show(this.#tile('parked'), count(parkedAggregates), plural(parkedEvents, 'event', 'events'), parkedAggregates ? 'alarm' : 'ok');
    show(this.#tile('letters'), count(deadLetters), deadLetters == null ? 'not reported' : deadLetters ? messages(deadLetters) : 'none', deadLetters ? 'alarm' : 'ok');
  }

  #showCache({ state, memoryHitRatio, redisHitRatio, processes }) {
    if (state !== 'ok') return show(this.#tile('cache'), none, stateText(state, 'Queries.Api', 'metrics:read'), state);
    const unavailable = processes.filter((process) => process.state === 'unavailable').length;
    const text = memoryHitRatio == null ? 'no lookups yet' : `memory ${percent(memoryHitRatio)}, Redis ${percent(redisHitRatio)}`;
    const some = unavailable ? `${unavailable} of ${processes.length} unavailable; ` : '';
    show(this.#tile('cache'), percent(memoryHitRatio == null ? null : memoryHitRatio + redisHitRatio), some + text, unavailable ? 'alarm' : 'ok');
  }

  #showResources({ log, projection }) {
    const body = this.#root.querySelector('#resources tbody');
    for (const name of Object.keys(log.positions ?? projection.status?.positions ?? {})) {
      const row = [...body.rows].find((one) => one.dataset.name === name) ?? body.appendChild(copyTemplate('resource'));
      row.dataset.name = name;
      const lag = projection.lag?.[name];
      setText(row.cells[0], name);
      setText(row.cells[1], count(log.positions?.[name]));
      setText(row.cells[2], projection.state === 'ok' ? count(projection.status.positions[name]) : projection.state);
      setText(row.cells[3], countUpTo(lag?.events, mostCounted));
      setText(row.cells[4], lag ? duration(lag.seconds) : none);
    }
  }

  #step(name) {
    return this.#root.querySelector(`[data-step=${name}]`);
  }

  #tile(name) {
    return this.#root.querySelector(`[data-tile=${name}]`);
  }
}
