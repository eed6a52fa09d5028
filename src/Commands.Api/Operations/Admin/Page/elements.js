// Elements of the views. A text becomes a text node, so no value of the shop is ever read as markup.

/** An element with properties, attributes (names with a hyphen, or that are no property) and children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

/** A labelled control. */
export const labelled = (title, control) => el('label', {}, el('span', {}, title), control);

/** A select of [value, title] pairs. */
export function choice(name, pairs, value = '') {
  const options = pairs.map(([key, title]) => el('option', { value: key }, title));
  const select = el('select', { name }, options);
  select.value = value;
  return select;
}

/** A section with a heading. */
export function panel(title, ...content) {
  const id = `title-${title.toLowerCase().replace(/\W+/g, '-')}`;
  return el('section', { className: 'sheet panel', 'aria-labelledby': id }, el('h2', { id }, title), ...content);
}

/** A place for sentences about what happens; `say` writes one. */
export function outcome() {
  const element = el('p', { className: 'outcome', role: 'status' });
  element.say = (text, state = 'ok') => {
    element.dataset.state = state;
    element.textContent = text;
  };
  return element;
}

/** An address of these pages. */
export function address(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value != null && value !== '');
  return `/admin?${new URLSearchParams(given)}`;
}

/** The text of a form's number as JSON has it; another text stays what it is, and the command refuses it. */
export const numberOf = (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

// Above 2^46 the numbers of JavaScript are more than 0.01 apart: another price would be stored.
const mostExact = 10 ** 13;

/** Refuses a body with a price that may be another one than was typed or read. */
export function needExactPrice({ name, price }) {
  if (price < mostExact || typeof price !== 'number') return;
  throw new Error(`The price${name ? ` of "${name}"` : ''} is too large for this page: use the API.`);
}

/** Runs an action of a button or a form, which is off meanwhile; a problem is a sentence in `place`. */
export async function run(place, element, action) {
  const controls = [element, ...element.querySelectorAll('button')].filter((one) => !one.disabled && 'disabled' in one);
  const focused = document.activeElement;
  for (const control of controls) control.disabled = true;
  try {
    return await action();
  } catch (problem) {
    if (problem.name !== 'AbortError') place.say(sentence(problem), 'alarm');
    if (problem.status === 401) throw problem;
  } finally {
    for (const control of controls) control.disabled = false;
    // The browser has taken the focus from a button that was off.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  }
}

/** What follows the outcome of a command whose change is not in the documents yet. */
export const notShownYet = 'This page does not show it yet: open it again in a moment.';

/** A problem with the reasons that it names. */
export function sentence({ message, errors = {} }) {
  return [message, ...Object.entries(errors).map(([path, reasons]) => `${path}: ${reasons.join(' ')}`)].join(' ');
}
