// Asks for the key, and refreshes the pipeline while the page is open.

import { Api, Problem, key, pause, onKeptPage } from './api.js';
import { Audit } from './audit.js';
import { Dashboard } from './dashboard.js';
import { Events } from './events.js';
import { EventStream } from './stream.js';
import { Rebuild } from './rebuild.js';
import { Repairs } from './repairs.js';
import { setText } from './format.js';

const refreshInterval = 1000;

const entry = document.getElementById('entry');
const form = document.getElementById('key-form');
const keyProblem = document.getElementById('key-problem');
const connection = document.getElementById('connection');
const removeKeyButton = document.getElementById('remove-key');
const dashboardElement = document.getElementById('dashboard');
const dashboard = new Dashboard(dashboardElement);
const events = new Events(document.getElementById('events'));
const repairs = new Repairs(document);
const rebuild = new Rebuild(document.getElementById('rebuild'));
const audit = new Audit(document.getElementById('audit'));
const panels = [dashboard, events, repairs, rebuild, audit];
let session = new AbortController();
let latest;
let usedKey;

function askForKey(problem, { isKept = false } = {}) {
  session.abort();
  if (!isKept) key.remove();
  for (const panel of panels) panel.clear();
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close('no');
  dashboardElement.hidden = true;
  removeKeyButton.hidden = !key.get();
  entry.hidden = false;
  setText(connection, '');
  setText(keyProblem, problem);
  form.reset();
  form.elements.key.focus();
}

async function open(value) {
  session.abort();
  session = new AbortController();
  const { signal } = session;
  let api;
  let status;
  try {
    api = new Api(value);
    status = await api.json('/admin/pipeline', { signal });
  } catch (problem) {
    if (signal.aborted) return;
    // A mistyped key does not remove the stored one.
    if (isRefusal(problem)) return refuse(problem, { isKept: key.get() !== value });
    // A stored key that could not be checked is used; a new one has to be entered again.
    if (key.get() !== value) return setText(keyProblem, problem.message);
  }
  key.set(value);
  show(api, status, signal);
}

function show(api, status, signal) {
  usedKey = key.get();
  const wasTyping = entry.contains(document.activeElement);
  entry.hidden = true;
  dashboardElement.hidden = false;
  if (wasTyping) document.getElementById('main').focus({ preventScroll: true });
  removeKeyButton.hidden = false;
  setText(keyProblem, '');
  latest = status;
  repairs.open(api, signal);
  rebuild.open(api, signal);
  audit.open(api, signal);
  followEvents(api, status, signal);
  if (status) update(status);
  refresh(api, signal);
}

async function followEvents(api, status, signal) {
  let head = status?.log.head;
  while (head == null && !signal.aborted) {
    await pause(refreshInterval, signal);
    head = latest?.log.head;
  }
  await new EventStream(api, head, events).run(signal);
}

function update(status) {
  latest = status;
  setText(connection, 'Live');
  connection.dataset.state = 'ok';
  dashboard.show(status);
  repairs.update(status.projection);
  rebuild.update(status.projection);
}

async function refresh(api, signal) {
  for (;;) {
    await pause(refreshInterval, signal);
    if (signal.aborted) return;
    try {
      update(await api.json('/admin/pipeline', { signal }));
    } catch (problem) {
      if (signal.aborted) return;
      if (isRefusal(problem)) return refuse(problem);
      setText(connection, problem instanceof Problem ? problem.message : 'Commands.Api is unavailable.');
      connection.dataset.state = 'unavailable';
      dashboard.showUnavailable();
    }
  }
}

function isRefusal({ status }) {
  return status === 401 || status === 403;
}

// A key without this scope is a key of the admin pages.
function refuse({ status }, { isKept = false } = {}) {
  if (status === 403) askForKey('This key may not read the pipeline (scope admin).', { isKept: true });
  else askForKey('This key is not valid.', { isKept });
}

onKeptPage(() => usedKey, askForKey);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  open(form.elements.key.value.trim());
});
removeKeyButton.addEventListener('click', () => askForKey(''));

if (key.get()) open(key.get());
else askForKey('');
document.getElementById('incomplete').remove();
