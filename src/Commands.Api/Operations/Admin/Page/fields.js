// The fields of a form: values of a document in, changed members and errors out.

import { ImageList } from './images.js';
import { el, numberOf, sentence } from './elements.js';

export const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

export class Fields {
  #fields;
  #base = {};

  constructor(members) {
    this.#fields = members.map((member) => new Field(member));
  }

  get elements() {
    return this.#fields.map((field) => field.element);
  }

  /** The value of each field, also of an empty one. */
  all() {
    return Object.fromEntries(this.#fields.map(({ name, value }) => [name, value]));
  }

  /** Shows a document, or the initial values of a new one. A field that was changed since `earlier` keeps its value. */
  show(found, earlier) {
    this.clearErrors();
    for (const field of this.#fields) {
      const isKept = earlier && !isSame(field.value, earlier[field.name]);
      const stored = found ? field.read(found) : field.member.initial ?? null;
      if (!isKept) field.value = stored;
      this.#base[field.name] = isKept ? stored : field.value;
    }
  }

  /** All values that are not empty. */
  values() {
    const all = this.#fields.map(({ name, value }) => [name, value]);
    return Object.fromEntries(all.filter(([, value]) => value !== null));
  }

  /** The members that differ from the document that is shown. */
  changes() {
    const changed = this.#fields.filter(({ name, value }) => !isSame(value, this.#base[name]));
    return Object.fromEntries(changed.map(({ name, value }) => [name, value]));
  }

  /** The members whose value here differs from that of another version of the document, and who changed them. */
  compare(stored) {
    return this.#fields.filter((field) => field.isCompared).map((field) => ({
      name: field.name, title: field.member.title, yours: field.value, stored: field.read(stored),
      isChangedHere: !isSame(field.value, this.#base[field.name]),
      isChangedThere: !isSame(field.read(stored), this.#base[field.name]),
    })).filter((one) => !isSame(one.yours, one.stored));
  }

  clearErrors() {
    for (const field of this.#fields) field.showError('');
  }

  /** Shows each reason beside its field, and leaves in the problem those that belong to none. */
  showErrors(problem) {
    const rest = {};
    for (const [path, reasons] of Object.entries(this.#pathsOf(problem))) {
      const field = this.#fields.find(({ name }) => name === path.split(/[.[]/)[0]);
      if (field) field.showError(sentence({ message: '', errors: { [path]: reasons } }).replace(`${field.name}: `, ''));
      else rest[path] = reasons;
    }
    problem.errors = rest;
    document.querySelector('.editor [aria-invalid=true]')?.focus();
  }

  // A code such as product.sku_taken names the member too.
  #pathsOf({ code = '', errors, message }) {
    if (errors) return errors;
    const word = code.split('.')[1]?.split('_')[0];
    const field = this.#fields.find(({ name }) => word && (name === word || name === `${word}Id`));
    return field ? { [field.name]: [message] } : {};
  }
}

class Field {
  #control;
  #error;

  constructor(member) {
    const { name, title, type, hint } = member;
    this.member = member;
    this.#error = el('span', { className: 'error', id: `${name}-error` });
    this.#control = type === 'images' ? new ImageList() : controlOf(member);
    this.element = type === 'images'
      ? el('fieldset', { className: 'field', 'aria-describedby': `${name}-error` },
        el('legend', {}, title), this.#control.element, this.#error)
      : el('div', { className: `field ${type}` },
        el('label', { htmlFor: `field-${name}` }, title), this.#control,
        hint && el('span', { className: 'quiet', id: `${name}-hint` }, hint), this.#error);
  }

  get name() {
    return this.member.name;
  }

  // A password is in no document.
  get isCompared() {
    return this.member.type !== 'password';
  }

  // As the control has it: line breaks, spaces and empty texts that it changes are no change of a person.
  read(found) {
    const copy = new Field(this.member);
    copy.value = this.member.read ? this.member.read(found) : found[this.name];
    return copy.value;
  }

  get value() {
    const { type } = this.member;
    if (type === 'images') return this.#control.value;
    if (type === 'flag') return this.#control.checked;
    const text = type === 'password' ? this.#control.value : this.#control.value.trim();
    if (text === '') return null;
    return type === 'number' ? numberOf(text) : text;
  }

  set value(value) {
    const { type } = this.member;
    if (type === 'flag') this.#control.checked = value === true;
    else this.#control.value = value ?? (type === 'images' ? [] : '');
  }

  showError(text) {
    this.#error.textContent = text.trim();
    const controls = this.#control.element?.querySelectorAll('input') ?? [this.#control];
    // The image with the mark of an earlier error may have been moved.
    for (const control of controls) control.ariaInvalid = null;
    if (text && controls.length) controls[0].ariaInvalid = 'true';
  }
}

function controlOf({ name, type, hint }) {
  const shared = { id: `field-${name}`, name, autocomplete: 'off',
    'aria-describedby': hint ? `${name}-hint ${name}-error` : `${name}-error` };
  if (type === 'area') return el('textarea', { ...shared, rows: 4 });
  if (type === 'flag') return el('input', { ...shared, type: 'checkbox' });
  if (type === 'password') return el('input', { ...shared, type: 'password', autocomplete: 'new-password' });
  return el('input', { ...shared, type: 'text', inputMode: type === 'number' ? 'decimal' : 'text' });
}
