import { ShopProblem } from './problem.js';
import { Requests } from './requests.js';
import { Categories, Orders, Products, Reviews, Users } from './resources.js';

export { ShopProblem };

/** A client of both APIs of a shop for one caller. Every read includes its last 8 commands, without sign-ins. */
export class ShopClient {
  #shop;

  constructor(options) {
    this.#shop = options instanceof Requests ? options : new Requests(options);
    this.products = new Products(this.#shop, 'products');
    this.categories = new Categories(this.#shop, 'categories');
    this.orders = new Orders(this.#shop, 'orders');
    this.reviews = new Reviews(this.#shop, 'reviews');
    this.users = new Users(this.#shop, 'users');
  }

  get consistencyToken() {
    return this.#shop.tokens;
  }

  set consistencyToken(tokens) {
    this.#shop.tokens = tokens;
  }

  signIn(email, password, { signal } = {}) {
    const body = JSON.stringify({ email, password });
    return this.#shop.json({ method: 'POST', path: 'sessions', body, signal, isSignIn: true });
  }

  as(key) {
    return new ShopClient(this.#shop.with(key));
  }
}
