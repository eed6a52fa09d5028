import type {
  BulkCreated, BulkReplaced, Category, CategoryBatch, CategoryInput, CategoryInputItem, CategoryQuery, CategorySlice,
  ChangedRows, ChunkDone, ChunkRefused, CreateOrder, CustomerToken, DeletedRows, Order, OrderBatch, OrderQuery,
  OrderSlice, Problem, Product, ProductBatch, ProductFacets, ProductInput, ProductInputItem, ProductInputReplacement,
  ProductQuery, ProductSlice, RemovedRows, Review, ReviewBatch, ReviewInput, ReviewInputItem, ReviewInputReplacement,
  ReviewQuery, ReviewSlice, Saved, UpdateOrder, User, UserBatch, UserInput, UserInputItem, UserQuery, UserSlice,
} from './types.js';

export type * from './types.js';

/** Addresses of a shop, the caller's key, and how long and how often requests are tried. Times are milliseconds. */
export interface ShopClientOptions {
  /** The address of Commands.Api. */
  commands: string | URL;
  /** The address of Queries.Api. */
  queries: string | URL;
  /** An API key or a customer's token; without it only public documents can be read. */
  key?: string | null;
  /** How long one attempt may take (30,000); of a stream, until its headers. */
  timeout?: number;
  /**
   * The same for commands that change any number of rows, or hash a password for each item (300,000): lists of users
   * that are created or replaced, erasures, and what changes or deletes all rows of a kind. The `fetch` of Node ends
   * a request after 300,000 in any case.
   */
  longTimeout?: number;
  /**
   * How long no byte of a stream may arrive while its reader waits for the next one (60,000). The `fetch` of Node ends
   * a response after 300,000 in any case.
   */
  streamIdleTimeout?: number;
  /** How often a request is repeated at most (4), apart from repetitions while an earlier attempt still runs. */
  retries?: number;
  /** The pause before the first retry (200); it doubles with each one, and up to a half is random. */
  retryDelay?: number;
  /** The longest pause (30,000). A longer `Retry-After` is not waited for: the caller gets the problem. */
  longestRetryDelay?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface ReadOptions<T> extends CallOptions {
  /** Only these members; the others are undefined. */
  fields?: (keyof T & string)[];
}

export interface PageOptions<T> extends ReadOptions<T> {
  pageSize?: number;
}

export interface KeyedOptions extends CallOptions {
  /** Made by the client if it is not given, and the same in every attempt. */
  idempotencyKey?: string;
}

export interface VersionedOptions extends CallOptions {
  /** The version, or the ETag, that must be the current one; otherwise a problem 412 `version.mismatch`. */
  ifMatch?: number | string;
}

/** What every resource can do; creates and patches are repeated under their Idempotency-Key. */
export interface Resource<T, Query, Slice, Batch, Input, Replacement> {
  get(id: number, options?: ReadOptions<T>): Promise<T>;
  /** The document, or null while `eTag` is that of the current one. */
  getIfChanged(id: number, eTag: string | null, options?: CallOptions): Promise<{ value: T | null; eTag: string }>;
  /** Up to 100 documents by their ids. */
  getBatch(ids: Iterable<number>, options?: ReadOptions<T>): Promise<Batch>;
  getPage(query?: Query, options?: PageOptions<T> & { after?: string | null; before?: string | null }): Promise<Slice>;
  /** All documents of a list, page by page: one that does not change is returned exactly once. */
  list(query?: Query, options?: PageOptions<T>): AsyncGenerator<T, void, undefined>;
  /** A whole list in one response, read while it arrives. */
  stream(query?: Query, options?: CallOptions & { limit?: number }): AsyncGenerator<T, void, undefined>;
  create(input: Input, options?: KeyedOptions): Promise<Saved>;
  replace(id: number, replacement: Replacement, options?: VersionedOptions): Promise<Saved>;
  /** A JSON Merge Patch (RFC 7396): null removes an optional value. */
  patch(
    id: number, patch: { [Member in keyof Replacement]?: Replacement[Member] | null },
    options?: KeyedOptions & VersionedOptions): Promise<Saved>;
  delete(id: number, options?: VersionedOptions): Promise<void>;
}

/** Commands over lists of at most 1,000 items, each executed as a whole or not at all. */
export interface Lists<Input> {
  createMany(items: Input[], options?: KeyedOptions): Promise<BulkCreated>;
  deleteMany(ids: number[], options?: CallOptions): Promise<RemovedRows>;
}

export interface Products extends Lists<ProductInput>,
  Resource<Product, ProductQuery, ProductSlice, ProductBatch, ProductInput, ProductInputReplacement> {
  getBySlug(slug: string, options?: ReadOptions<Product>): Promise<Product>;
  getFacets(query?: ProductQuery, options?: CallOptions): Promise<ProductFacets>;
  /** Texts to search for that complete what was typed, the best first. */
  suggest(typed: string, options?: CallOptions): Promise<string[]>;
  setStock(id: number, stock: number, options?: KeyedOptions & VersionedOptions): Promise<Saved>;
  changeStock(id: number, delta: number, options?: KeyedOptions & VersionedOptions): Promise<Saved>;
  setStockOfCategory(categoryId: number, stock: number, options?: KeyedOptions): Promise<ChangedRows>;
  changeStockOfCategory(categoryId: number, delta: number, options?: KeyedOptions): Promise<ChangedRows>;
  /**
   * A list of any length; each chunk is a transaction of its own: read to the end, and look for problems. `chunk` (from
   * 0) and `first` count in the whole list, not in one request.
   */
  replaceMany(
    items: ProductInputItem[], options?: CallOptions): AsyncGenerator<ChunkDone | ChunkRefused, void, undefined>;
}

export interface Categories extends Lists<CategoryInput>,
  Resource<Category, CategoryQuery, CategorySlice, CategoryBatch, CategoryInput, CategoryInput> {
  replaceMany(items: CategoryInputItem[], options?: CallOptions): Promise<BulkReplaced>;
}

export interface Reviews extends Lists<ReviewInput>,
  Resource<Review, ReviewQuery, ReviewSlice, ReviewBatch, ReviewInput, ReviewInputReplacement> {
  replaceMany(items: ReviewInputItem[], options?: CallOptions): Promise<BulkReplaced>;
  deleteOld(productId: number, olderThanDays: number, options?: CallOptions): Promise<DeletedRows>;
}

export interface Users extends Lists<UserInput>,
  Resource<User, UserQuery, UserSlice, UserBatch, UserInput, UserInput> {
  replaceMany(items: UserInputItem[], options?: CallOptions): Promise<BulkReplaced>;
  /**
   * Removes a person for good, and keeps the user's orders and reviews. Only with an `idempotencyKey` it is one
   * transaction, and is repeated when its response is lost.
   */
  erase(id: number, options?: VersionedOptions & { idempotencyKey?: string }): Promise<void>;
  /**
   * Deactivates the users who have neither ordered nor logged in for so many days, chunk by chunk. Only with an
   * `idempotencyKey` it is one transaction, and is repeated when its response is lost.
   */
  deactivateInactive(
    inactiveDays: number, options?: CallOptions & { idempotencyKey?: string }): Promise<ChangedRows>;
}

export interface Orders extends Resource<Order, OrderQuery, OrderSlice, OrderBatch, CreateOrder, UpdateOrder> {
  /** The next step of an order; one that it cannot take is a problem `order.status_refused`. */
  setStatus(
    id: number, status: Order['status'],
    options?: KeyedOptions & VersionedOptions & { trackingNumber?: string }): Promise<Saved>;
  deleteOld(olderThanDays: number, options?: CallOptions): Promise<DeletedRows>;
}

/** A client of both APIs of a shop for one caller. Every read includes its last 8 commands, without sign-ins. */
export class ShopClient {
  constructor(options: ShopClientOptions);
  readonly products: Products;
  readonly categories: Categories;
  readonly orders: Orders;
  readonly reviews: Reviews;
  readonly users: Users;
  /** The tokens of the last 8 commands, which reads send; set it to that of another client to see its writes. */
  consistencyToken: string | null;
  /** Verifies a customer's password; `as` with the token acts for the customer. */
  signIn(email: string, password: string, options?: CallOptions): Promise<CustomerToken>;
  /** A client of another caller, which begins with the tokens of this one. */
  as(key: string | null): ShopClient;
}

/** A refusal by the shop, after all retries; see docs/errors.md for the codes. */
export class ShopProblem extends Error {
  /** The whole body, with the members that only some codes have. */
  readonly problem: Problem;
  readonly status: number;
  /** A code of docs/errors.md. In a response of a proxy: empty, or a code of the proxy. */
  readonly code: string;
  /** A short text for people. In a response of a proxy it may be the text of the HTTP status. */
  readonly title: string;
  readonly detail?: string;
  readonly errors: Record<string, string[]>;
  /** Names the request in the logs and traces of the shop. In a response of a proxy it may be empty. */
  readonly traceId: string;
  /** How many seconds the shop asked to wait. */
  readonly retryAfter?: number;
}
