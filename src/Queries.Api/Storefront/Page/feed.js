// A list on the page that grows page by page, with its status.

const skeletons = 12;

/**
 * `render` makes an element of a document; `words` are the nouns [one, many, none]; `ended` is called at the end of
 * each load.
 */
export class Feed {
  #list;
  #status;
  #problem;
  #button;
  #render;
  #words;
  #ended;
  #source;
  #stop = new AbortController();
  #isBusy = false;
  #isOld = false;
  #ids = new Set();
  #edge = new IntersectionObserver(([entry]) => entry.isIntersecting && this.more(), { rootMargin: '900px' });

  constructor(root, render, words, ended = () => {}) {
    this.#list = root.querySelector('ul');
    this.#status = root.querySelector('.status');
    this.#problem = root.querySelector('.problem');
    this.#button = root.querySelector('.more');
    this.#render = render;
    this.#words = words;
    this.#ended = ended;
    this.#button.addEventListener('click', () => this.more());
    this.#problem.querySelector('button').addEventListener('click', () => this.more());
  }

  /** The number of documents that are shown. */
  get count() {
    return this.#ids.size;
  }

  /** Whether the list is complete and has no document. */
  get isEmpty() {
    return !this.#isBusy && this.#ids.size === 0 && this.#problem.hidden;
  }

  /** Starts another list. The old documents stay until a new one arrives; late responses of the old list are ignored. */
  open(source) {
    this.#halt();
    this.#stop = new AbortController();
    this.#source = source;
    this.#isOld = this.#ids.size > 0;
    return source.hasMore ? this.more() : this.#end();
  }

  /** Cancels what is loading and shows nothing. */
  close() {
    this.#halt();
    this.#clear();
    this.#status.textContent = '';
    this.#problem.hidden = true;
    this.#button.hidden = true;
  }

  /** Shows the next page of the list. */
  async more() {
    if (this.#isBusy || !this.#source.hasMore) return;
    const { signal } = this.#stop;
    const focused = document.activeElement;
    this.#begin();
    let first;
    let problem;
    try {
      for await (const found of this.#source.next(signal)) {
        if (signal.aborted) return;
        const item = this.#add(found);
        first ??= item;
      }
    } catch (error) {
      problem = error;
    }
    if (signal.aborted) return;
    this.#end(problem);
    if (focused === this.#button || this.#problem.contains(focused)) this.#focus(first);
  }

  // With the keyboard, reading continues at the first new document, not after the last. The button that was pressed was
  // hidden meanwhile.
  #focus(first) {
    const instead = this.#problem.hidden ? document.getElementById('main') : this.#problem.querySelector('button');
    if (first) (first.querySelector('a') ?? first).focus();
    else instead.focus({ preventScroll: true });
  }

  #halt() {
    this.#stop.abort();
    this.#isBusy = false;
    this.#edge.disconnect();
  }

  #begin() {
    this.#isBusy = true;
    this.#problem.hidden = true;
    this.#list.ariaBusy = 'true';
    if (!this.#isOld) this.#addSkeletons();
  }

  #add(found) {
    if (this.#isOld) {
      this.#clear();
      this.#addSkeletons();
    }
    if (this.#ids.has(found.id)) return undefined;
    this.#ids.add(found.id);
    const item = this.#render(found);
    const skeleton = this.#list.querySelector('.skeleton');
    if (skeleton) skeleton.replaceWith(item);
    else this.#list.append(item);
    return item;
  }

  #end(problem) {
    if (this.#isOld) this.#clear();
    for (const skeleton of this.#list.querySelectorAll('.skeleton')) skeleton.remove();
    this.#isBusy = false;
    this.#list.ariaBusy = 'false';
    this.#status.textContent = this.#count(problem);
    this.#problem.hidden = !problem;
    this.#problem.querySelector('p').textContent = problem?.message ?? '';
    this.#button.hidden = Boolean(problem) || !this.#source.hasMore;
    // Observed again, since an edge that stays in sight causes no event.
    this.#edge.disconnect();
    if (!this.#button.hidden) this.#edge.observe(this.#button);
    this.#ended();
  }

  #clear() {
    this.#isOld = false;
    this.#ids.clear();
    this.#list.replaceChildren();
  }

  #addSkeletons() {
    for (let i = 0; i < skeletons; i++) {
      const item = document.createElement('li');
      item.className = 'skeleton';
      item.ariaHidden = 'true';
      this.#list.append(item);
    }
  }

  #count(problem) {
    const count = this.#ids.size;
    const [one, many, none] = this.#words;
    if (count === 0) return problem ? '' : none;
    const words = `${count.toLocaleString()} ${count === 1 ? one : many}`;
    return this.#source.hasMore ? `The first ${words}` : words;
  }
}
