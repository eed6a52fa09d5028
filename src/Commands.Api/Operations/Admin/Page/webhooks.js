// The webhooks: where events are sent, and what was not delivered.

import { ask } from '/console/confirm.js';
import { address, el, labelled, outcome, panel, run } from './elements.js';
import { time } from './resources.js';

const states = {
  Delivering: 'Delivering', Inactive: 'Off', Failing: 'Receiver unavailable',
  Refusing: 'Receiver refuses some or all events', Full: 'Stopped: too many events wait',
  OtherKey: 'Off: it was made with another key of the shop; renew its secret',
};
const isAlarm = ({ state, parked }) => parked > 0 || ['Failing', 'Refusing', 'Full', 'OtherKey'].includes(state);

// Not one that waits behind another event.
const isDue = ({ parkedAt, attempts, nextAttemptAt }) => parkedAt || attempts > 0 || nextAttemptAt;

function stateOf({ parkedAt, attempts, lastFailure, nextAttemptAt }) {
  if (parkedAt) return `Parked. ${lastFailure}`;
  if (attempts > 0) return `${lastFailure} Next ${time(nextAttemptAt)}.`;
  return nextAttemptAt ? 'Is due.' : 'Waits behind an earlier event.';
}

/** A table whose first column is the heading of its row. */
function table(name, titles, rows) {
  return el('div', { className: 'sheet table', tabIndex: 0, role: 'region', 'aria-label': name }, el('table', {},
    el('thead', {}, el('tr', {}, titles.map((title) => el('th', { scope: 'col' }, title)))),
    el('tbody', {}, rows.map(([first, ...others]) =>
      el('tr', {}, el('th', { scope: 'row', className: 'name' }, first), others.map((one) => el('td', {}, one)))))));
}

export class Webhooks {
  #options;
  #webhook;
  #reads = 0;
  #heading = el('h1', { tabIndex: -1 });
  #outcome = outcome();
  #content = el('div', { className: 'webhooks' });
  #panels = el('div', { className: 'webhooks' });

  constructor(root, options) {
    this.#options = options;
    const heading = options.id ? this.#heading : el('div', { className: 'row heading' }, this.#heading,
      el('a', { className: 'button main', href: address({ view: 'webhooks', id: 'new' }) }, 'New webhook'));
    root.append(options.id ? el('a', { className: 'back', href: address({ view: 'webhooks' }) }, 'Webhooks') : '',
      heading, this.#outcome, this.#content);
  }

  async show() {
    const { shop, id, signal } = this.#options;
    if (id === 'new') return this.#showForm();
    if (id) return this.#showWebhook();
    this.#heading.textContent = 'Webhooks';
    const { items } = await shop.ask('/admin/webhooks', signal);
    const rows = items.map((one) => [
      el('a', { href: address({ view: 'webhooks', id: one.id }) }, one.description || one.url),
      el('span', { className: isAlarm(one) ? 'alarm' : '' }, states[one.state]),
      String(one.behind), String(one.waiting), String(one.parked)]);
    this.#content.replaceChildren(items.length ? table('Webhooks', ['Webhook', 'State', 'Behind', 'Waiting', 'Parked'], rows)
      : el('p', { className: 'quiet' }, 'A webhook sends the events of the shop to an address of yours, signed.'));
  }

  showProblem(problem) {
    this.#heading.textContent ||= 'Webhooks';
    this.#outcome.say(problem.status === 404 ? 'It does not exist, or it was deleted.' : problem.message, 'alarm');
  }

  get #path() {
    return `/admin/webhooks/${this.#options.id}`;
  }

  async #showWebhook() {
    await this.#showPanels();
    this.#showForm(this.#webhook);
    this.#content.append(this.#panels);
  }

  // Without the form, which may have changes that are not saved.
  async #showPanels() {
    const { shop, signal } = this.#options;
    const read = ++this.#reads;
    const [webhook, undelivered] = await Promise.all([
      shop.ask(this.#path, signal), shop.ask(`${this.#path}/undelivered`, signal)]);
    // A later read may have ended before this one.
    if (read !== this.#reads) return;
    this.#webhook = webhook;
    this.#panels.replaceChildren(this.#statePanel(webhook), this.#undeliveredPanel(undelivered));
  }

  #showForm(webhook) {
    this.#nameIt(webhook);
    const form = el('form', { className: 'sheet editor', noValidate: true, 'aria-label': 'webhook' },
      labelled('Address', el('input', { name: 'url', inputMode: 'url', autocomplete: 'off', value: webhook?.url ?? '' })),
      labelled('Description', el('input', { name: 'description', autocomplete: 'off', value: webhook?.description ?? '' })),
      labelled('Types of events, one a line; empty: all', el('textarea', {
        name: 'types', rows: 4, spellcheck: false, value: (webhook?.types ?? []).join('\n'),
        placeholder: 'apexshop.order.placed' })),
      labelled('Send events', el('input', { name: 'isActive', type: 'checkbox', checked: webhook?.isActive ?? true })),
      el('div', { className: 'row' }, el('button', { className: 'main' }, webhook ? 'Save' : 'Create'),
        webhook && el('button', { type: 'button', className: 'alarm', onclick: () => this.#delete(form) }, 'Delete')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      run(this.#outcome, form, () => this.#save(new FormData(form)));
    });
    this.#content.replaceChildren(form);
  }

  get #secret() {
    return this.#content.querySelector('.secret')?.closest('section');
  }

  async #save(data) {
    const { shop, signal, go } = this.#options;
    const body = { url: data.get('url').trim(), description: data.get('description').trim(),
      types: data.get('types').split(/\s+/).filter(Boolean), isActive: data.has('isActive') };
    if (this.#webhook) {
      await shop.send('PUT', this.#path, body, { signal });
      this.#nameIt({ ...this.#webhook, ...body });
      return this.#showDone('Saved.');
    }
    const { value } = await shop.send('POST', '/admin/webhooks', body, { signal });
    this.#content.replaceChildren(this.#secretPanel(value.secret),
      el('button', { type: 'button', className: 'main',
        onclick: () => go(address({ view: 'webhooks', id: value.id }), { isReplaced: true }) }, 'Open the webhook'));
    this.#say('Created.');
  }

  #nameIt(webhook) {
    this.#heading.textContent = webhook ? webhook.description || `Webhook ${webhook.id}` : 'New webhook';
  }

  // The command was executed, also if its effect cannot be shown.
  async #showDone(words) {
    try {
      await this.#showPanels();
    } catch (problem) {
      if (problem.status === 401 || this.#options.signal.aborted) throw problem;
      return this.#say(`${words} ${problem.message}`, 'alarm');
    }
    return this.#say(words);
  }

  // The button that was pressed is gone, and with it the focus.
  #say(words, state) {
    this.#outcome.say(words, state);
    this.#heading.focus();
  }

  #secretPanel(secret) {
    return panel('Secret', el('p', {}, 'Enter it at the receiver, which uses it to verify that an event is from this shop.',
      ' It is not shown again.'), el('p', {}, el('code', { className: 'secret' }, secret)));
  }

  #statePanel(webhook) {
    const { lastFailure, nextAttemptAt, failingSince } = webhook;
    return panel('State',
      el('p', { className: `figure ${isAlarm(webhook) ? 'alarm' : ''}` }, states[webhook.state]),
      lastFailure && el('p', {}, `${lastFailure} Since ${time(failingSince)}, next attempt ${time(nextAttemptAt)}.`),
      el('p', {}, `Sent up to event ${webhook.position}; ${webhook.behind} later ones.`),
      el('div', { className: 'row' },
        this.#action('Send a test', async (shop, signal) => {
          const { value } = await shop.send('POST', `${this.#path}/test`, undefined, { signal });
          this.#outcome.say(value.isDelivered ? 'The receiver accepted the test.' : `The test failed. ${value.failure}`,
            value.isDelivered ? 'ok' : 'alarm');
        }),
        this.#action('New secret', async (shop, signal) => {
          const text = 'The present secret is valid for one more day, or until the next new one.';
          if (!await ask({ title: 'Make a new secret?', text, yes: 'Make it' }, signal)) return;
          const { value } = await shop.send('POST', `${this.#path}/secret`, undefined, { signal });
          this.#secret?.remove();
          this.#content.prepend(this.#secretPanel(value.secret));
          await this.#showDone('There is a new secret. Enter it at the receiver.');
        })));
  }

  #undeliveredPanel({ items, next }) {
    const rows = items.map((one) => [`${one.position}`, `${one.subject} ${one.type.split('.').at(-1)}`,
      stateOf(one), el('div', { className: 'row' },
        isDue(one) && this.#change('Try again', 'POST', `/replay?position=${one.position}`),
        this.#change('Discard', 'DELETE', `/undelivered/${one.position}`, 'The receiver never gets this event.'))]);
    return panel('Not delivered', items.length ? table('Events', ['Event', 'What', 'State', 'Action'], rows)
      : el('p', { className: 'quiet' }, 'Everything was delivered.'), next && el('p', {}, 'The first 100 are shown.'),
    items.length > 0 && this.#change('Try all again', 'POST', '/replay'));
  }

  #change(title, method, path, warning) {
    return this.#action(title, async (shop, signal) => {
      if (warning && !await ask({ title: `${title} it?`, text: warning, yes: title }, signal)) return;
      await shop.send(method, this.#path + path, undefined, { signal });
      await this.#showDone('Done.');
    }, warning && 'alarm');
  }

  #action(title, action, className = '') {
    const { shop, signal } = this.#options;
    const button = el('button', { type: 'button', className,
      onclick: () => run(this.#outcome, button, () => action(shop, signal)) }, title);
    return button;
  }

  async #delete(form) {
    const { shop, signal, go } = this.#options;
    const text = 'What was not delivered is given up.';
    if (!await ask({ title: 'Delete the webhook?', text, yes: 'Delete it' }, signal)) return;
    await run(this.#outcome, form, async () => {
      await shop.send('DELETE', this.#path, undefined, { signal });
      go(address({ view: 'webhooks' }), { isReplaced: true });
    });
  }
}
