// What an operator can repair: parked aggregates and dead letters, each with its possible actions.

import { duration, plural } from './format.js';
import { RepairList } from './repair-list.js';

const parked = {
  path: '/admin/parked',
  nouns: ['aggregate', 'aggregates', 'Nothing is parked.'],
  id: ({ resource, id }) => `${resource}/${id}`,
  address: ({ resource, id }) => `/admin/parked/${resource}/${id}`,
  name: ({ resource, id }) => `${resource}/${id}`,
  facts: ({ events, firstPosition, since }) =>
    `${plural(events, 'event', 'events')} from position ${firstPosition}, parked ${ago(since)}`,
  reason: ({ reason }) => reason,
  replay: {
    canApply: ({ applied }) => applied > 0,
    preview: ({ applied, left, reason, versionBefore, versionAfter }) =>
      applied
        ? `Would apply ${plural(applied, 'event', 'events')}: version ${versionBefore ?? 'none'} to ${versionAfter ?? 'none'}${rest(left, reason)}.`
        : `Would apply nothing: ${reason}`,
    result: ({ applied, left, reason }) => (applied ? `${plural(applied, 'event', 'events')} applied${rest(left, reason)}.` : `Nothing applied: ${reason}`),
  },
  all: {
    progress: ({ items }) => `${plural(items, 'aggregate', 'aggregates')} done`,
    question: ({ items, applied, left, reason }) =>
      `${plural(applied, 'parked event', 'parked events')} of ${plural(items, 'aggregate', 'aggregates')} would be applied${rest(left, reason)}.`,
    result: ({ applied, left, reason }) => `${plural(applied, 'event', 'events')} applied${rest(left, reason)}.`,
  },
  heal: ({ outcome, version, reason }) =>
    ({
      written: `Written again from the log at version ${version}.`,
      deleted: 'Removed: the last event in the log is a deletion.',
      removed: 'Removed: the log has no event of it.',
    })[outcome] ?? `Not healed: ${reason}`,
  discard: {
    question: ({ resource, id, events }) =>
      `${plural(events, 'parked event', 'parked events')} of ${resource}/${id} would be deleted. The document stays as it is until the next event of its aggregate, or until it is healed from the log.`,
    result: ({ lost }) => lost,
  },
};

const letters = {
  path: '/admin/dead-letters',
  nouns: ['message', 'messages', 'There are none.'],
  id: ({ id }) => String(id),
  address: ({ id }) => `/admin/dead-letters/${id}`,
  name: ({ id, bytes }) => `Message ${id}, ${plural(bytes, 'byte', 'bytes')}`,
  facts: ({ times, receivedAt, excerpt }) => `${plural(times, 'time', 'times')}, first ${ago(receivedAt)}${excerpt && `: ${excerpt}`}`,
  reason: ({ reason }) => reason,
  replay: {
    canApply: ({ outcome }) => outcome === 'applied',
    preview: ({ outcome, events, resource, repeated, reason }) =>
      outcome === 'applied'
        ? `Can be read: ${plural(events, 'event', 'events')} of ${resource}, ${repeated} of them already applied.`
        : `Still cannot be read: ${reason}`,
    result: ({ outcome, events, reason }) => (outcome === 'applied' ? `${plural(events, 'event', 'events')} applied.` : `Still cannot be read: ${reason}`),
  },
  all: {
    progress: ({ items }) => `${plural(items, 'message', 'messages')} done`,
    question: ({ applied, left, reason }) => `${plural(applied, 'message', 'messages')} would be applied${rest(left, reason)}.`,
    result: ({ applied, left, reason }) => `${plural(applied, 'message', 'messages')} applied${rest(left, reason)}.`,
  },
  discard: {
    question: ({ id }) => `Message ${id} would be deleted. Its events are lost, unless they are in the event log.`,
    result: () => 'Discarded.',
  },
};

export class Repairs {
  #lists;

  constructor(root) {
    this.#lists = [
      { list: new RepairList(root.getElementById('parked'), parked), count: (status) => status.parkedEvents },
      { list: new RepairList(root.getElementById('letters'), letters), count: (status) => status.deadLetters },
    ];
  }

  open(api, signal) {
    for (const { list } of this.#lists) list.open(api, signal);
  }

  clear() {
    for (const { list } of this.#lists) list.clear();
  }

  /** Updates each list when its count has changed, and otherwise from time to time. */
  update({ state, status }) {
    for (const { list, count } of this.#lists) {
      if (state === 'ok') list.update(count(status));
      else list.showState(state);
    }
  }
}

function rest(left, reason) {
  return left ? `, ${left} left: ${reason}` : '';
}

function ago(time) {
  return `${duration(Math.max(0, (Date.now() - new Date(time)) / 1000))} ago`;
}
