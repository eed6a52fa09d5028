// The way in by the key, and the looks at the pipeline while the page is open.

import { Api, Problem, key, pause } from './api.js';
import { Board } from './board.js';
import { Events } from './events.js';
import { EventStream } from './stream.js';
import { Repairs } from './repairs.js';
import { set } from './words.js';

const every = 1000;
const eventsBefore = 30;

const entry = document.getElementById('entry');
const form = document.getElementById('key-form');
const problemPlace = document.getElementById('key-problem');
const connection = document.getElementById('connection');
const leaveButton = document.getElementById('leave');
const boardPlace = document.getElementById('board');
const board = new Board(boardPlace);
const events = new Events(document.getElementById('events'));
const repairs = new Repairs(document);
let visit = new AbortController();
let latest;

function ask(words) {
  visit.abort();
  key.forget();
  boardPlace.hidden = true;
  leaveButton.hidden = true;
  entry.hidden = false;
  set(connection, '');
  set(problemPlace, words);
  form.reset();
  form.elements.key.focus();
}

async function open(value) {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  let api;
  let status;
  try {
    api = new Api(value);
    status = await api.json('/admin/pipeline', { signal });
  } catch (problem) {
    if (signal.aborted) return;
    if (isRefusal(problem)) return ask(refusal(problem));
    // A key that nobody could look at is not wrong: it is tried again, unless somebody is there to do it.
    if (!key.get()) return set(problemPlace, problem.message);
  }
  key.keep(value);
  show(api, status, signal);
}

function show(api, status, signal) {
  const wasTyping = entry.contains(document.activeElement);
  entry.hidden = true;
  boardPlace.hidden = false;
  if (wasTyping) document.getElementById('main').focus({ preventScroll: true });
  leaveButton.hidden = false;
  set(problemPlace, '');
  latest = status;
  board.clear();
  events.clear();
  repairs.open(api, signal);
  follow(api, status, signal);
  if (status) take(status);
  watch(api, signal);
}

async function follow(api, status, signal) {
  let head = status?.log.head;
  while (head == null && !signal.aborted) {
    await pause(every, signal);
    head = latest?.log.head;
  }
  const after = Math.max(0, head - eventsBefore);
  await new EventStream(api, after, (found) => events.take(found), (words) => events.say(words)).run(signal);
}

function take(status) {
  latest = status;
  set(connection, 'Live');
  connection.dataset.state = 'ok';
  board.show(status);
  repairs.look(status.projection);
}

async function watch(api, signal) {
  for (;;) {
    await pause(every, signal);
    if (signal.aborted) return;
    try {
      take(await api.json('/admin/pipeline', { signal }));
    } catch (problem) {
      if (signal.aborted) return;
      if (isRefusal(problem)) return ask(refusal(problem));
      set(connection, problem instanceof Problem ? problem.message : 'Commands.Api does not answer.');
      connection.dataset.state = 'unavailable';
      board.lose();
    }
  }
}

function isRefusal({ status }) {
  return status === 401 || status === 403;
}

function refusal({ status }) {
  return status === 403 ? 'This key may not look at the pipeline (scope admin).' : 'This key is not known.';
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  open(form.elements.key.value.trim());
});
leaveButton.addEventListener('click', () => ask(''));

if (key.get()) open(key.get());
else ask('');
