// A line chart of the last five minutes: lines in an SVG, with text around it.

import { span } from './history.js';
import { setText } from './format.js';

const svgNames = 'http://www.w3.org/2000/svg';
const width = 300;
const height = 100;

export class Chart {
  #figure;
  #lines;
  #format;
  #top;
  #highest;
  #svg;

  /** `lines` are { name, of }; `highest` is the top of the scale when it does not depend on the values. */
  constructor(figure, lines, format, highest) {
    this.#figure = figure;
    this.#format = format;
    this.#highest = highest;
    this.#top = part('p', 'top');
    this.#svg = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img' });
    for (const y of [0, 0.5, 1]) this.#svg.append(svg('path', { class: 'grid', d: `M0 ${y * height}H${width}` }));
    const legend = part('ul', 'legend');
    this.#lines = lines.map((line, index) => this.#addLine(line, index, legend));
    const foot = part('p', 'foot');
    foot.append(part('span', '', '5 min ago'), part('span', '', 'now'));
    figure.append(legend, this.#top, this.#svg, foot);
  }

  draw(samples, now) {
    const values = this.#lines.flatMap(({ of }) => samples.map(of)).filter((value) => value != null);
    const top = this.#highest ?? roundUp(Math.max(...values, 0));
    setText(this.#top, this.#format(top));
    const texts = this.#lines.map((line) => this.#drawLine(line, samples, now, top));
    this.#svg.setAttribute('aria-label', `${this.#figure.querySelector('figcaption').textContent}: ${texts.join(', ')}`);
  }

  #addLine({ name, of }, index, legend) {
    const path = svg('path', { class: `line line-${index}` });
    this.#svg.append(path);
    const entry = part('li', `line-${index}`);
    const value = part('b', '');
    entry.append(part('span', '', name), ' ', value);
    legend.append(entry);
    return { name, of, path, value };
  }

  #drawLine({ name, of, path, value }, samples, now, top) {
    let d = '';
    let isOpen = false;
    for (const sample of samples) {
      const y = of(sample);
      if (y == null) isOpen = false;
      else {
        d += `${isOpen ? 'L' : 'M'}${x(sample.at, now)} ${(height - (Math.min(y, top) / top) * height).toFixed(1)}`;
        // A single value is drawn as a dot.
        if (!isOpen) d += 'h.01';
        isOpen = true;
      }
    }
    path.setAttribute('d', d);
    const last = samples.length ? of(samples.at(-1)) : null;
    setText(value, this.#format(last));
    return `${name} ${this.#format(last)}`;
  }
}

function x(at, now) {
  return (width - ((now - at) / span) * width).toFixed(1);
}

// 1, 2 or 5 with zeros, so that the scale does not change with every value.
function roundUp(value) {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * unit >= value) ?? 10) * unit;
}

function part(name, className, text = '') {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

function svg(name, attributes) {
  const element = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
