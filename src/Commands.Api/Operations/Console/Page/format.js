// Formats numbers, times and states as text, and writes text into elements.

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const ratio = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

export const none = '\u2013';

export const count = (value) => (value == null ? none : whole.format(value));

/** The text of a count that ends at `most`. */
export const countUpTo = (value, most) => count(value) + (value >= most ? '+' : '');

export const rate = (value) => (value == null ? none : value < 10 ? oneDecimal.format(value) : whole.format(value));

export const percent = (value) => (value == null ? none : ratio.format(value));

export function duration(seconds) {
  if (seconds == null) return none;
  if (seconds > 0 && seconds < 1) return `${whole.format(seconds * 1000)} ms`;
  if (seconds < 10) return `${oneDecimal.format(seconds)} s`;
  if (seconds < 120) return `${whole.format(seconds)} s`;
  return seconds < 7200 ? `${whole.format(seconds / 60)} min` : `${whole.format(seconds / 3600)} h`;
}

export const plural = (value, one, more) => `${count(value)} ${value === 1 ? one : more}`;

/** The text for a part whose state is `unavailable` or `refused`. */
export function stateText(state, name, scope) {
  if (state === 'refused') return `This key may not read ${name}${scope ? ` (scope ${scope})` : ''}`;
  return `${name[0].toUpperCase()}${name.slice(1)} is unavailable`;
}

/** Shows a number, a note and a state; the style sheet has a style for each state. */
export function show(element, figure, note, state = 'ok') {
  element.dataset.state = state;
  setText(element.querySelector('.figure'), figure);
  setText(element.querySelector('.note'), note);
}

/** Shows the sentence about an action, in the element `.outcome`. */
export function showOutcome(element, text, state = 'ok') {
  const outcome = element.querySelector('.outcome');
  outcome.dataset.state = state;
  setText(outcome, text);
}

/** `value` is a share of 1, null without a progress, and undefined for one of unknown length. */
export function showProgress(element, value) {
  const bar = element.querySelector('progress');
  bar.hidden = value === null;
  if (value == null) bar.removeAttribute('value');
  else bar.value = value;
}

/** Changes the text only when it differs, so that a screen reader does not repeat it. */
export function setText(element, text) {
  const next = text ?? '';
  if (element.textContent !== next) element.textContent = next;
}

export function copyTemplate(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}
