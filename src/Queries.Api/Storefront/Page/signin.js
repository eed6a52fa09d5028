// The form in which a customer signs in.

import { account } from './account.js';
import { showProblem } from './elements.js';

export class SignIn {
  #root;
  #form;
  #go;
  #next;

  /** `go` is called with the address that follows. */
  constructor(root, go) {
    [this.#root, this.#form, this.#go] = [root, root.querySelector('form'), go];
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#signIn();
    });
  }

  show(address) {
    document.title = 'Sign in - ApexShop';
    this.#next = address.get('next') === 'cart' ? '/cart' : '/my-orders';
    showProblem(this.#problem);
    this.#root.hidden = false;
    scrollTo(0, 0);
    this.#form.elements.email.focus();
  }

  leave() {
    this.#form.elements.password.value = '';
    this.#root.hidden = true;
  }

  get #problem() {
    return this.#root.querySelector('.problem');
  }

  async #signIn() {
    const { email, password } = this.#form.elements;
    const button = this.#form.querySelector('button');
    button.disabled = true;
    showProblem(this.#problem);
    try {
      await account.signIn(email.value, password.value);
      // The customer may have opened another view meanwhile.
      if (!this.#root.hidden) this.#go(this.#next);
    } catch (problem) {
      showProblem(this.#problem, problem);
      password.focus();
    } finally {
      button.disabled = false;
    }
  }
}
