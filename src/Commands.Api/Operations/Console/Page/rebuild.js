// The rebuild of all documents: the button, its progress and its result.

import { pause } from './api.js';
import { ask } from './confirm.js';
import { count, duration, plural, setText, showOutcome, showProgress, stateText } from './format.js';

const path = '/admin/projections/rebuild';
const refreshInterval = 1000;

export class Rebuild {
  #root;
  #api;
  #signal;

  constructor(root) {
    this.#root = root;
    root.querySelector('button').addEventListener('click', () => this.#start());
  }

  open(api, signal) {
    [this.#api, this.#signal] = [api, signal];
  }

  clear() {
    showOutcome(this.#root, '');
    this.#show('', null);
  }

  /** Shows the running rebuild or the last one, also one that was started elsewhere. */
  update({ state, rebuild }) {
    if (!rebuild) {
      return this.#show(state === 'ok' ? notReported : `${stateText(state, 'the Projector', 'admin')}.`, null);
    }

    const { done, total } = rebuild;
    const progress = rebuild.state !== 'running' ? null : total ? done / total : undefined;
    this.#show((texts[rebuild.state] ?? texts.none)(rebuild), progress, rebuild.state === 'failed' ? 'alarm' : 'ok');
  }

  #show(text, progress, state = 'ok') {
    showProgress(this.#root, progress);
    const note = this.#root.querySelector('.note');
    note.dataset.state = state;
    setText(note, text);
  }

  async #start() {
    const signal = this.#signal;
    const isConfirmed = await ask({
      title: 'Rebuild all documents?',
      text: 'All documents are built again from the event log, in new tables. Queries use the current ones until then.',
      yes: 'Rebuild',
      no: 'Cancel',
    }, signal);
    if (!isConfirmed) return;
    try {
      const { state, failure, documents } = await this.#run(signal);
      const changed = Object.values(documents).reduce((sum, { differing }) => sum + differing, 0);
      if (state === 'done') showOutcome(this.#root, `Done: ${plural(changed, 'document', 'documents')} changed.`);
      else showOutcome(this.#root, `Failed: ${failure}`, 'alarm');
    } catch (problem) {
      if (!signal.aborted) showOutcome(this.#root, problem.message, 'alarm');
    }
  }

  async #run(signal) {
    const api = this.#api;
    let status = await api.json(path, { method: 'POST', signal });
    showOutcome(this.#root, 'Started.');
    while (status.state === 'running') {
      await pause(refreshInterval, signal);
      try {
        status = await api.json(path, { signal });
        showOutcome(this.#root, 'Started.');
      } catch (problem) {
        // The rebuild goes on while its state cannot be read.
        if (signal.aborted || isRefusal(problem)) throw problem;
        showOutcome(this.#root, problem.message, 'alarm');
      }
    }
    return status;
  }
}

const isRefusal = ({ status }) => status === 401 || status === 403;

const notReported = 'The state of the rebuild is not reported.';

const texts = {
  none: () => 'There was no rebuild yet.',
  running: ({ phase, done, total, seconds, cause }) =>
    `${phase}, ${count(done)} of ${count(total)} documents, ${duration(seconds)} so far. ${cause}`,
  done: ({ done, seconds }) => `The last rebuild wrote ${plural(done, 'document', 'documents')} in ${duration(seconds)}.`,
  failed: ({ phase, failure }) => `The last rebuild failed while ${phase}: ${failure}`,
};
