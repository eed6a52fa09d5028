// Asks for the key, and shows the view of the address.

import { key, onKeptPage } from '/console/api.js';
import { ask } from '/console/confirm.js';
import { Editor } from './editor.js';
import { Importer } from './importer.js';
import { List } from './list.js';
import { Shop } from './shop.js';
import { address, el } from './elements.js';
import { resources } from './resources.js';
import { Webhooks } from './webhooks.js';

const titles = { ...Object.fromEntries(Object.entries(resources).map(([name, { title }]) => [name, title])),
  webhooks: 'Webhooks' };
const entry = document.getElementById('entry');
const form = document.getElementById('key-form');
const keyProblem = document.getElementById('key-problem');
const removeKeyButton = document.getElementById('remove-key');
const nav = document.getElementById('views');
const root = document.getElementById('view');
let session = new AbortController();
let shop;
let current;
let usedKey;

function askForKey(problem) {
  session.abort();
  key.remove();
  [shop, current] = [undefined, undefined];
  root.replaceChildren();
  document.title = 'ApexShop admin';
  [root.hidden, nav.hidden, removeKeyButton.hidden, entry.hidden] = [true, true, true, false];
  keyProblem.textContent = problem;
  form.reset();
  form.elements.key.focus();
}

async function open(value) {
  try {
    shop = new Shop(value);
    // A key without this scope is a key too.
    await shop.read('/orders/cursor?pageSize=1').catch((problem) => {
      if (problem.status !== 403) throw problem;
    });
  } catch (problem) {
    return problem.status === 401 ? askForKey(problem.message) : void (keyProblem.textContent = problem.message);
  }
  key.set(value);
  start();
  document.getElementById('main').focus({ preventScroll: true });
}

function start() {
  usedKey = key.get();
  keyProblem.textContent = '';
  [root.hidden, nav.hidden, removeKeyButton.hidden, entry.hidden] = [false, false, false, true];
  show();
}

/** Goes to an address of these pages. */
function go(target, { isReplaced = false } = {}) {
  const isHere = target === location.pathname + location.search;
  history[isReplaced || isHere ? 'replaceState' : 'pushState'](null, '', target);
  show();
}

async function leave(target) {
  const question = { title: 'Leave without saving?', text: 'What you have typed is lost.', yes: 'Leave', no: 'Stay' };
  if (!current?.hasChanges || await ask(question, session.signal)) go(target);
}

async function show() {
  const query = new URLSearchParams(location.search);
  const name = Object.hasOwn(titles, query.get('view')) ? query.get('view') : 'products';
  const [id, task] = [query.get('id'), query.get('do')];
  const kind = name === 'webhooks' ? Webhooks : task === 'import' ? Importer : id ? Editor : List;
  session.abort();
  session = new AbortController();
  const { signal } = session;
  for (const link of nav.children) {
    if (link.dataset.view === name) link.ariaCurrent = 'page';
    else link.removeAttribute('aria-current');
  }
  // The same list with other filters keeps its form, and so the focus.
  const isNew = !(current instanceof List && kind === List && current.name === name);
  if (isNew) {
    root.replaceChildren();
    current = new kind(root, { shop, name, resource: resources[name], id, go, signal });
  }
  document.title = `${titles[name]} - ApexShop admin`;
  try {
    await current.show(query, signal);
  } catch (problem) {
    if (signal.aborted) return;
    if (problem.status === 401) return askForKey(problem.message);
    current.showProblem(problem);
  }
  if (isNew && !signal.aborted && document.activeElement === document.body) root.querySelector('h1')?.focus();
}

nav.append(...Object.entries(titles).map(([name, title]) =>
  el('a', { href: address({ view: name }), 'data-view': name }, title)));
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/admin?"], .skip');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  // A position in the page is no entry of the history, which would show the view again without what was typed.
  if (link.hash) document.getElementById('main').focus();
  else leave(link.getAttribute('href'));
});
addEventListener('beforeunload', (event) => current?.hasChanges && event.preventDefault());
// An action of a view that was refused for its key.
addEventListener('unhandledrejection', (event) => {
  if (event.reason?.status !== 401) return;
  event.preventDefault();
  askForKey(event.reason.message);
});
onKeptPage(() => usedKey, askForKey);
addEventListener('popstate', () => shop && show());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  open(form.elements.key.value.trim());
});
removeKeyButton.addEventListener('click', () => askForKey(''));

if (key.get()) {
  shop = new Shop(key.get());
  start();
} else {
  askForKey('');
}
document.getElementById('incomplete').remove();
