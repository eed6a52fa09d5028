// Creates the rows of a file, part by part. The key of a part is made from its text and its place in the file, so that
// a part whose response was lost is not created twice, also after the page was opened again.

import { pause } from '/console/api.js';
import { readFile } from './lines.js';
import { address, el, labelled, outcome, run } from './elements.js';

const partSize = 100;
const mostNamed = 1000;

export class Importer {
  #options;
  #input = el('input', { type: 'file', accept: '.csv,.ndjson,.jsonl,.json', required: true });
  #button = el('button', { className: 'main' }, 'Import');
  #stop = el('button', { type: 'button', hidden: true, onclick: () => { this.#isStopped = true; } }, 'Stop');
  #progress = el('progress', { hidden: true, 'aria-label': 'Progress of the import' });
  #outcome = outcome();
  #bad = el('ul', { className: 'bad', role: 'list', 'aria-label': 'Lines that were not imported' });
  #work;
  #isStopped = false;

  constructor(root, options) {
    const { resource, name } = options;
    this.#options = options;
    const columns = resource.members.map((member) => member.name).join(', ');
    const form = el('form', { className: 'sheet editor', 'aria-label': 'Import' },
      el('p', { className: 'quiet' },
        `A file of lines of JSON, or of CSV whose first line names the columns: ${columns}. Each line becomes a new `
        + `${resource.one}. Within 24 hours (or the time for which the shop stores responses) the same file, `
        + 'imported with a key of the same name, creates no row twice, and the same lines are refused. Put corrected '
        + 'lines into a new file: a changed file creates all its rows again.'),
      labelled('File', this.#input), el('div', { className: 'row' }, this.#button, this.#stop),
      this.#progress, this.#outcome, this.#bad);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      run(this.#outcome, this.#button, () => this.#import());
    });
    this.#input.addEventListener('change', () => this.#reset());
    root.append(el('a', { className: 'back', href: address({ view: name }) }, resource.title),
      el('h1', { tabIndex: -1 }, `Import ${resource.title.toLowerCase()}`), form);
  }

  async show() {}

  showProblem() {}

  #reset() {
    this.#work = undefined;
    this.#button.textContent = 'Import';
    this.#outcome.say('');
    this.#bad.replaceChildren();
    this.#progress.hidden = true;
  }

  async #import() {
    this.#isStopped = false;
    [this.#stop.hidden, this.#input.disabled] = [false, true];
    try {
      if (!this.#work) await this.#open();
      const work = this.#work;
      while (work.next < work.rows.length && !this.#isStopped) {
        // Stop can be pressed also while no part is sent.
        await pause(0);
        const part = work.rows.slice(work.next, work.next + partSize);
        for (const { line, reason } of part) if (reason) this.#name(line, reason);
        // A part that is sent again counts again.
        work.part = { created: 0, repeated: 0 };
        await this.#send(part.filter((row) => row.text));
        work.created += work.part.created;
        work.repeated += work.part.repeated;
        work.next += part.length;
        this.#progress.value = work.next;
        this.#say(work.next < work.rows.length ? 'Importing' : 'Done');
      }
      if (this.#isStopped && work.next < work.rows.length) this.#say('Stopped');
    } finally {
      const isLeft = this.#work && this.#work.next < this.#work.rows.length;
      [this.#stop.hidden, this.#input.disabled] = [true, false];
      this.#button.textContent = isLeft ? 'Go on' : 'Import';
      if (!isLeft) this.#work = undefined;
    }
  }

  async #open() {
    const [file] = this.#input.files;
    const text = textOf(await file.arrayBuffer());
    const rows = readFile(text, file.name, this.#options.resource.members);
    this.#reset();
    this.#work = { rows, file: hash(text), next: 0, created: 0, repeated: 0, bad: new Set() };
    [this.#progress.max, this.#progress.value, this.#progress.hidden] = [rows.length || 1, 0, false];
    if (!rows.length) this.#say('Done');
  }

  // A list is created as a whole or not at all: the lines that are refused are named, and the others are sent again.
  async #send(rows) {
    const { shop, name, signal } = this.#options;
    if (!rows.length) return;
    const text = rows.map((row) => row.text).join('\n');
    const key = `import-${name}-${this.#work.file}-${rows[0].line}-${hash(text)}`;
    try {
      const { isRepeated } = await shop.sendLines(`/${name}/bulk`, text, { key, signal });
      this.#work.part[isRepeated ? 'repeated' : 'created'] += rows.length;
    } catch (problem) {
      if (!isForGood(problem)) throw problem;
      await this.#send(await this.#withoutBad(rows, problem));
    }
  }

  // Without a place in the list, the halves show which line is refused.
  async #withoutBad(rows, { message, errors = {} }) {
    const reasons = new Map();
    for (const [path, texts] of Object.entries(errors)) {
      const [, place, member] = /^\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      if (place === undefined) continue;
      reasons.set(Number(place), `${reasons.get(Number(place)) ?? ''} ${member}: ${texts.join(' ')}`.trim());
    }
    if (!reasons.size && rows.length > 1) {
      const middle = rows.length >> 1;
      await this.#send(rows.slice(0, middle));
      await this.#send(rows.slice(middle));
      return [];
    }
    if (!reasons.size) reasons.set(0, message);
    for (const [place, reason] of reasons) this.#name(rows[place].line, reason);
    return rows.filter((_, place) => !reasons.has(place));
  }

  #name(line, reason) {
    // A part that is sent again names its lines again.
    if (this.#work.bad.has(line)) return;
    this.#work.bad.add(line);
    if (this.#bad.children.length === mostNamed) return;
    // They are found nearly in the order of the file.
    let last = this.#bad.lastElementChild;
    while (last && Number(last.dataset.line) > line) last = last.previousElementSibling;
    const item = el('li', { 'data-line': line }, el('b', {}, `Line ${line}`), ` ${reason}`);
    if (last) last.after(item);
    else this.#bad.prepend(item);
  }

  #say(word) {
    const { created, repeated, bad } = this.#work;
    this.#outcome.say(`${word}: ${created} created${repeated ? `, ${repeated} were created before` : ''}, `
      + `${bad.size} not imported.${bad.size > mostNamed ? ` ${mostNamed} of them are listed.` : ''}`,
      bad.size ? 'alarm' : 'ok');
  }
}

// With another encoding wrong letters would be stored, and a corrected file creates all its rows again.
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The file is not in UTF-8. Save it as "CSV UTF-8", then choose it again.');
  }
}

// Whether the same request would be refused again, for what is in it. A refusal of a proxy has no code: it says nothing
// about the request, nor about an earlier one with its key.
function isForGood({ status, code }) {
  return Boolean(code) && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
    && !code.startsWith('idempotency.') && code !== 'version.overtaken';
}

// 64 bits tell files apart: FNV-1a, and a polynomial. The command compares the whole body with that of its key.
function hash(text) {
  let [bits, sum] = [0x811c9dc5, 0];
  for (let i = 0; i < text.length; i++) {
    bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
    sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  }
  return `${(bits >>> 0).toString(36)}${(sum >>> 0).toString(36)}`;
}
