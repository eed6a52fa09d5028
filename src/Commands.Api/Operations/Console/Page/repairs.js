// What waits for an operator: parked aggregates and dead letters, each with what can be done about it.

import { RepairList } from './repairlist.js';
import { age, many } from './words.js';

const parked = {
  path: '/admin/parked',
  words: ['aggregate', 'aggregates', 'Nothing is parked.'],
  id: ({ resource, id }) => `${resource}/${id}`,
  address: ({ resource, id }) => `/admin/parked/${resource}/${id}`,
  name: ({ resource, id }) => `${resource}/${id}`,
  facts: ({ events, firstPosition, since }) =>
    `${many(events, 'event', 'events')} from position ${firstPosition}, parked ${ago(since)}`,
  reason: ({ reason }) => reason,
  replay: {
    can: ({ applied }) => applied > 0,
    would: ({ applied, left, reason, versionBefore, versionAfter }) =>
      applied
        ? `Would apply ${many(applied, 'event', 'events')}: version ${versionBefore ?? 'none'} to ${versionAfter ?? 'none'}${rest(left, reason)}.`
        : `Would apply nothing: ${reason}`,
    done: ({ applied, left, reason }) => (applied ? `${many(applied, 'event', 'events')} applied${rest(left, reason)}.` : `Nothing applied: ${reason}`),
  },
  heal: ({ outcome, version, reason }) =>
    ({
      written: `Written anew from the log at version ${version}.`,
      deleted: 'Removed: the last event in the log is a deletion.',
      removed: 'Removed: the log does not know it.',
    })[outcome] ?? `Not healed: ${reason}`,
  discard: {
    ask: ({ resource, id, events }) =>
      `${many(events, 'parked event', 'parked events')} of ${resource}/${id} would be given up. Its document stays as it is until its next event, or until it is healed from the log.`,
    done: ({ lost }) => lost,
  },
};

const letters = {
  path: '/admin/dead-letters',
  words: ['message', 'messages', 'There are none.'],
  id: ({ id }) => String(id),
  address: ({ id }) => `/admin/dead-letters/${id}`,
  name: ({ id, bytes }) => `Message ${id}, ${many(bytes, 'byte', 'bytes')}`,
  facts: ({ times, receivedAt, excerpt }) => `${many(times, 'time', 'times')}, first ${ago(receivedAt)}: ${excerpt}`,
  reason: ({ reason }) => reason,
  replay: {
    can: ({ outcome }) => outcome === 'applied',
    would: ({ outcome, events, resource, repeated, reason }) =>
      outcome === 'applied'
        ? `Can be read: ${many(events, 'event', 'events')} of ${resource}, ${repeated} of them applied before.`
        : `Still cannot be read: ${reason}`,
    done: ({ outcome, events, reason }) => (outcome === 'applied' ? `${many(events, 'event', 'events')} applied.` : `Still cannot be read: ${reason}`),
  },
  discard: {
    ask: ({ id }) => `Message ${id} would be deleted. What it said is lost, unless it is in the event log.`,
    done: () => 'Discarded.',
  },
};

export class Repairs {
  #lists;

  constructor(root) {
    const confirm = (words) => ask(root.getElementById('confirm'), words);
    this.#lists = [
      { list: new RepairList(root.getElementById('parked'), parked, confirm), count: (status) => status.parkedEvents },
      { list: new RepairList(root.getElementById('letters'), letters, confirm), count: (status) => status.deadLetters },
    ];
  }

  open(api, signal) {
    for (const { list } of this.#lists) list.open(api, signal);
  }

  /** The lists are asked for when their numbers have changed, and now and then. */
  look({ state, status }) {
    for (const { list, count } of this.#lists) {
      if (state === 'ok') list.expect(count(status));
      else list.lose(state);
    }
  }
}

function rest(left, reason) {
  return left ? `, ${left} left: ${reason}` : '';
}

function ago(time) {
  return `${age(Math.max(0, (Date.now() - new Date(time)) / 1000))} ago`;
}

function ask(dialog, { title, words, yes }) {
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('p').textContent = words;
  dialog.querySelector('.alarm').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true });
  });
}
