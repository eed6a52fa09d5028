// Numbers, ages and states in words.

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

export const none = '\u2013';

export const count = (value) => (value == null ? none : whole.format(value));

export const rate = (value) => (value == null ? none : value < 10 ? fine.format(value) : whole.format(value));

export const percent = (value) => (value == null ? none : share.format(value));

export function age(seconds) {
  if (seconds == null) return none;
  if (seconds > 0 && seconds < 1) return `${whole.format(seconds * 1000)} ms`;
  if (seconds < 10) return `${fine.format(seconds)} s`;
  if (seconds < 120) return `${whole.format(seconds)} s`;
  return seconds < 7200 ? `${whole.format(seconds / 60)} min` : `${whole.format(seconds / 3600)} h`;
}

export const many = (value, one, more) => `${count(value)} ${value === 1 ? one : more}`;

/** What is said of a part that does not tell. */
export function silence(state, name, scope) {
  if (state === 'refused') return `This key may not ask ${name}${scope ? ` (scope ${scope})` : ''}`;
  return `${name} is unavailable`;
}

/** A part as it is now: its number, a note, and a state that the style knows. */
export function show(place, figure, note, state = 'ok') {
  place.dataset.state = state;
  set(place.querySelector('.figure'), figure);
  set(place.querySelector('.note'), note);
}

/** Text only, and only when it changed: what has not changed is not read out again. */
export function set(place, text) {
  const next = text ?? '';
  if (place.textContent !== next) place.textContent = next;
}

export function copy(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}
