// The members that two people have changed, side by side, with a choice for each.

import { el } from './elements.js';

const words = (value) => (value == null || value === '' ? 'empty' : typeof value === 'object'
  ? JSON.stringify(value, null, 1) : value === true ? 'Yes' : value === false ? 'No' : String(value));

/** `members` are those of Fields.compare; `save` gets the chosen values that differ from the stored ones. */
export function chooseValues(members, save) {
  const rows = members.map((one) => {
    const option = (side, title, isChosen) => el('label', {},
      el('input', { type: 'radio', name: `keep-${one.name}`, value: side, checked: isChosen }),
      el('span', {}, title), el('span', { className: 'value' }, words(one[side])));
    return el('fieldset', {}, el('legend', {}, one.title),
      option('yours', 'Yours', one.isChangedHere), option('stored', 'Stored now', !one.isChangedHere));
  });
  const element = el('section', { 'aria-label': 'Values to choose' }, rows,
    el('button', { type: 'button', className: 'main', onclick: () => save(chosen()) }, 'Save again'));
  const chosen = () => Object.fromEntries(members
    .filter((one) => element.querySelector(`[name=keep-${one.name}][value=yours]`).checked)
    .map((one) => [one.name, one.yours]));
  return element;
}
