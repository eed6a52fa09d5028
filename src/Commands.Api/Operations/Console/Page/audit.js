// The audit of all documents: the buttons, its progress, the differences and the summary.

import { parts } from './api.js';
import { ask } from './confirm.js';
import { count, duration, plural, showOutcome, showProgress } from './format.js';

// Each of the five resources is read twice.
const passes = 10;
const maxDifferences = 20;

export class Audit {
  #root;
  #differences;
  #api;
  #signal;
  #isRunning = false;

  constructor(root) {
    this.#root = root;
    this.#differences = root.querySelector('.differences');
    const [audit, repair] = root.querySelectorAll('button');
    audit.addEventListener('click', () => this.#start(false));
    repair.addEventListener('click', () => this.#start(true));
  }

  open(api, signal) {
    [this.#api, this.#signal] = [api, signal];
  }

  clear() {
    this.#isRunning = false;
    this.#differences.replaceChildren();
    this.#show('', null);
  }

  async #start(isRepair) {
    // It may be silent for a long time, and no limit would be right: it waits for changes that are not projected yet.
    if (this.#isRunning) return showOutcome(this.#root, 'An audit is still running. To end it, reload the page.');
    if (isRepair && !(await ask(question, this.#signal))) return;
    const signal = this.#signal;
    this.#isRunning = true;
    this.#differences.replaceChildren();
    this.#show('Starting', 0);
    try {
      await this.#follow(isRepair, signal);
    } catch (problem) {
      if (!signal.aborted) this.#show(problem.message, null, 'alarm');
    }
    if (!signal.aborted) this.#isRunning = false;
  }

  async #follow(isRepair, signal) {
    const path = isRepair ? '/admin/audit?repair=true' : '/admin/audit';
    const response = await this.#api.open(path, { method: 'POST', signal, accept: 'application/x-ndjson' });
    const resources = [];
    let end;
    for await (const text of parts(response, '\n', signal)) {
      const line = JSON.parse(text);
      if (line.kind === 'progress') {
        if (resources.at(-1) !== line.resource) resources.push(line.resource);
        const found = plural(line.differences, 'difference', 'differences');
        const words = `Comparing ${line.resource}: ${count(line.compared)} compared, ${found}`;
        this.#show(words, Math.min(1, resources.length / passes));
      } else if (line.kind === 'difference') this.#add(line);
      else end = line;
    }
    if (!end) this.#show('The audit ended early; the differences that are listed are valid.', null, 'alarm');
    else if (end.kind === 'failure') this.#show(end.detail, null, 'alarm');
    else this.#show(summary(end), null, end.different > end.repaired ? 'alarm' : 'ok');
  }

  #add({ resource, id, segment, what, fields, repaired }) {
    if (this.#differences.children.length >= maxDifferences) return;
    const item = document.createElement('li');
    const name = id == null ? `${resource}, segment ${segment}` : `${resource}/${id}`;
    const end = repaired == null ? '' : repaired ? ' - repaired' : ' - not repaired';
    item.textContent = `${name}: ${what}${fields.length ? ` (${fields.join(', ')})` : ''}${end}`;
    this.#differences.append(item);
  }

  #show(text, progress, state = 'ok') {
    showProgress(this.#root, progress);
    showOutcome(this.#root, text, state);
  }
}

const question = {
  title: 'Audit and repair?',
  text: 'Every document that differs from the tables is written again from the event log.',
  yes: 'Audit and repair',
  no: 'Cancel',
};

function summary({ compared, different, repaired, notCompared, seconds }) {
  const found = different ? plural(different, 'difference', 'differences') : 'no differences';
  const end = different ? `, ${count(repaired)} repaired` : '';
  const rest = notCompared ? ` ${plural(notCompared, 'document', 'documents')} changed too late to be compared.` : '';
  return `${plural(compared, 'document', 'documents')} compared in ${duration(seconds)}: ${found}${end}.${rest}`;
}
