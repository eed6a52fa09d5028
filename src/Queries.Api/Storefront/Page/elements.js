// Small elements that several views make.

/** A link of the page. */
export function link(address, text) {
  const element = document.createElement('a');
  element.href = address;
  element.textContent = text;
  return element;
}

/** An item of a list. */
export function item(...content) {
  const element = document.createElement('li');
  element.append(...content);
  return element;
}

/** A copy of a template's element. */
export function copy(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

/** Shows a problem as a sentence; without one hides its place. */
export function showProblem(place, problem) {
  place.hidden = !problem;
  place.querySelector('p').textContent = problem?.message ?? '';
}
