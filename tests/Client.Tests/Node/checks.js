// What NodeTests.cs runs against its shop with the packed package: a check by its name, which prints its result.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { inspect } from 'node:util';
import { ShopClient, ShopProblem } from '@apexshop/client';

const { COMMANDS_URL: commands, QUERIES_URL: queries, SHOP_KEY: key, CATEGORY, PRODUCT, CUSTOMER } = process.env;
const [product, categoryId, userId] = [Number(PRODUCT), Number(CATEGORY), Number(CUSTOMER)];
const options = { commands, queries, key, retryDelay: 10 };
const shop = new ShopClient(options);

async function collect(documents) {
  const ids = [];
  for await (const document of documents) ids.push(document.id);
  return ids;
}

const refused = (promise, code) =>
  assert.rejects(promise, error => error instanceof ShopProblem && error.code === code);

const checks = {
  async order() {
    const order = { userId, shippingAddress: '1 Main Street', items: [{ productId: product, quantity: 3 }] };
    const placed = await shop.orders.create(order);
    assert.equal((await shop.orders.get(placed.id)).items[0].quantity, 3);
    assert.equal((await shop.products.get(product)).stock, 97);
  },

  async replace() {
    await assert.rejects(shop.products.replace(product, { name: 'Lantern', price: 5, categoryId }), TypeError);
    await refused(shop.products.delete(product), '');
  },

  async wait() {
    await shop.products.setStock(product, 7);
    assert.equal((await shop.products.get(product)).stock, 7);
  },

  async proxy() {
    assert.equal((await shop.products.get(product)).id, product);
    await assert.rejects(shop.products.get(product), {
      status: 403, code: 'Forbidden', title: 'Forbidden', traceId: '',
    });
    await assert.rejects(shop.products.get(product), { status: 403, code: '' });
  },

  async secret() {
    const texts = [JSON.stringify({ shop, other: shop.as(key) }), inspect(shop, { depth: 9 }), inspect(shop.products)];
    for (const text of texts) assert.ok(!text.includes(key), text);
  },

  async empty() {
    await refused(shop.products.setStock(product, 7, { idempotencyKey: '' }), 'idempotency.key_invalid');
    await assert.rejects(shop.products.patch(product, { name: 'Lantern' }, { ifMatch: null }), TypeError);
    const { version } = await shop.products.get(product, { fields: ['name'] });
    await assert.rejects(shop.products.patch(product, { name: 'Lantern' }, { ifMatch: version }), TypeError);
    await assert.rejects(shop.products.patch(product, { name: 'Lantern' }, { ifMatch: '' }), { status: 412 });
    assert.equal((await shop.products.get(product)).version, 1);
  },

  async redirect() {
    await assert.rejects(shop.categories.create({ name: 'Lost' }), { name: 'ShopProblem', status: 302 });
  },

  async defaults() {
    let attempts = 0;
    const fetch = async () => new Response(null, { status: ++attempts <= 9 ? 503 : 204 });
    const careless = new ShopClient({ ...options, fetch, retries: undefined, timeout: undefined });
    await assert.rejects(careless.products.get(product), { status: 503 });
    assert.equal(attempts, 5);
  },

  async running() {
    let attempts = 0;
    const fetch = async () => ++attempts <= 6
      ? new Response('{"code":"idempotency.in_progress"}', { status: 409, headers: { 'Retry-After': '0' } })
      : new Response(null, { status: 204 });
    await new ShopClient({ ...options, fetch }).products.changeStock(product, -1);
    assert.equal(attempts, 7);
    attempts = 0;
    await assert.rejects(
      new ShopClient({ ...options, fetch, timeout: 0 }).products.changeStock(product, -1), { status: 409 });
    assert.equal(attempts, 5);
  },

  async bounds() {
    await assert.rejects(
      new ShopClient({ ...options, retries: 2 }).products.get(product), { status: 503, retryAfter: undefined });
    await assert.rejects(shop.products.get(product), { status: 503, retryAfter: 3600 });
    await assert.rejects(shop.products.get(product, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
    const impatient = new ShopClient({ ...options, timeout: 5000 });
    assert.equal((await impatient.products.get(product)).id, product);
  },

  async consistency() {
    const other = new ShopClient(options);
    for (let stock = 1; stock <= 20; stock++) {
      await shop.categories.patch(categoryId, { name: `Lights ${stock}` });
      await shop.products.setStock(product, stock);
      const seen = await shop.products.get(product);
      assert.deepEqual([seen.stock, seen.category.name], [stock, `Lights ${stock}`]);
      other.consistencyToken = shop.consistencyToken;
      assert.equal((await other.products.get(product)).stock, stock);
    }

    // The shop had another key when the first one was made.
    const newest = shop.consistencyToken.split(', ').at(-1);
    other.consistencyToken = `bm90IGEgdG9rZW4,${newest}`;
    assert.equal((await other.products.get(product)).stock, 20);
    assert.equal(other.consistencyToken, newest);
    other.consistencyToken = 'bm90IGEgdG9rZW4';
    assert.equal((await other.products.get(product)).stock, 20);
    assert.equal(other.consistencyToken, null);
    other.consistencyToken = ' a,b ,, c,d,e,f,g,h,i ';
    assert.equal(other.consistencyToken, 'b, c, d, e, f, g, h, i');
    await shop.products.delete(product);
    await refused(shop.products.get(product), 'document.not_found');
    console.log(`token ${shop.consistencyToken}`);
  },

  async limits() {
    const user = { email: 'node-long@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const { id } = await shop.users.create({ ...user, password: 'right horse' });
    const impatient = new ShopClient({ ...options, timeout: 500, retries: 0 });
    await impatient.users.createMany([{ ...user, email: 'node-longer@example.com', password: 'right horse' }]);
    await impatient.users.replaceMany([{ ...user, id, firstName: 'Augusta' }]);
    await impatient.users.erase(id);
    await impatient.users.deactivateInactive(36_500);
    await impatient.reviews.deleteOld(product, 36_500);
    await impatient.orders.deleteOld(36_500);
    await impatient.products.setStockOfCategory(categoryId, 5);
    await impatient.products.changeStockOfCategory(categoryId, 1);
    await assert.rejects(impatient.products.setStock(product, 1), { name: 'TimeoutError' });
  },

  async keys() {
    await refused(shop.users.erase(2147483647), 'user.not_found');
    await shop.users.deactivateInactive(36_500);
    await shop.users.deactivateInactive(36_500, { idempotencyKey: 'given' });
  },

  async walk() {
    const all = await collect(shop.products.list({ categoryId: [categoryId] }));
    const deleted = all.filter((_, index) => index % 4 === 3);
    const kept = all.filter((_, index) => index % 4 !== 3).reverse();
    const walked = [];
    for await (const { id } of shop.products.list({ categoryId: [categoryId], sort: '-price' }, { pageSize: 5 })) {
      walked.push(id);
      if (walked.length % 5 !== 0 || deleted.length === 0) continue;
      await shop.products.create({ name: 'First', price: 1000, stock: 1, categoryId });
      await shop.products.create({ name: 'Last', price: 0.5, stock: 1, categoryId });
      await shop.products.delete(deleted.shift());
    }

    assert.equal(new Set(walked).size, walked.length);
    assert.deepEqual(walked.filter(id => kept.includes(id)), kept);
  },

  async stream() {
    for await (const { name, description } of shop.products.stream({ categoryId: [categoryId] })) {
      assert.equal(description, 'Made of \u6728 and "glass"');
      console.log(`item ${name}`);
    }
  },

  async idle() {
    const read = [];
    const idle = new ShopClient({ ...options, streamIdleTimeout: 5000 });
    await assert.rejects(async () => {
      for await (const { id } of idle.products.stream({ categoryId: [categoryId] })) {
        // The time that the caller spends with a document does not count.
        if (read.push(id) === 3) await new Promise(resolve => setTimeout(resolve, 6000));
      }
    }, { name: 'TimeoutError', message: /5000 ms \(streamIdleTimeout\)/ });
    assert.equal(read.length, 3);
    // More than a timer can take is no limit.
    const patient = new ShopClient({ ...options, timeout: Infinity, streamIdleTimeout: Infinity });
    assert.equal((await collect(patient.products.stream({ categoryId: [categoryId] }))).length, 5);
  },

  async cut() {
    for (let time = 0; time < 2; time++) {
      const read = [];
      await assert.rejects(async () => {
        for await (const { id } of shop.products.stream({ categoryId: [categoryId] })) read.push(id);
      }, { name: 'TypeError', message: /within a line/ });
      assert.equal(read.length, 2);
    }
  },

  async connect() {
    const { FREE_PORT, FULL_PORT } = process.env;
    const addresses = [{ address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 }];
    const { lookup } = dns;
    dns.lookup = (host, settings, done) =>
      host === 'several.test' ? done(null, addresses) : lookup(host, settings, done);

    async function attempts(address, dispatcher) {
      let count = 0;
      const counted = (url, init) => ++count && fetch(url, { ...init, dispatcher });
      const client = new ShopClient({ ...options, commands: address, retries: 1, fetch: counted });
      await assert.rejects(client.products.delete(product), TypeError);
      return count;
    }

    for (const host of ['127.0.0.1', 'several.test', '255.255.255.255', 'missing.invalid'])
      assert.equal(await attempts(`http://${host}:${FREE_PORT}`), 2, host);
    const Agent = globalThis[Symbol.for('undici.globalDispatcher.1')].constructor;
    assert.equal(await attempts(`http://127.0.0.1:${FULL_PORT}`, new Agent({ connect: { timeout: 100 } })), 2);
    assert.equal(await attempts(commands), 1);
  },

  async long() {
    const lamp = { id: 1, name: 'Lamp', price: 1, categoryId };
    const thousand = Array.from({ length: 1000 }, (_, index) => ({ ...lamp, id: 2147483647 - index }));
    const problems = async (...last) => {
      const found = [];
      for await (const { problem } of shop.products.replaceMany([...thousand, ...last])) found.push(problem.errors);
      return found;
    };
    assert.deepEqual((await problems({ ...lamp, price: -1 })).map(errors => Object.keys(errors)[0]),
      ['[0].id', '[200].id', '[400].id', '[600].id', '[800].id', '[1000].price']);
    assert.deepEqual((await problems(lamp, lamp)).at(-1), { '[1001].id': ['Id 1 occurs at [1000] too.'] });
    await assert.rejects(problems({ ...lamp, description: 'x'.repeat(2_000_000) }),
      { code: 'bulk.item_too_large', message: /Item \[1000\] has more than/ });

    const early = [...thousand];
    early[450] = { ...early[450], description: 'x'.repeat(2_000_000) };
    const chunks = [];
    for await (const chunk of shop.products.replaceMany([...early, lamp])) chunks.push(chunk);
    assert.deepEqual(
      chunks.map(({ chunk, first, count, problem }) => [chunk, first, count, problem?.code === 'bulk.item_too_large']),
      [[0, 0, 200, false], [1, 200, 200, false], [2, 400, 50, true], [3, 450, 550, true], [4, 1000, 1, false]]);
  },

  async incomplete() {
    const chunks = [];
    await assert.rejects(async () => {
      const lantern = { id: product, name: 'Lantern', price: 3, categoryId };
      for await (const chunk of shop.products.replaceMany([lantern])) chunks.push(chunk);
    }, TypeError);
    assert.deepEqual(chunks.map(({ items }) => items), [[{ id: product, version: 2 }]]);
  },

  async chunks() {
    const tokens = [];
    const fetch = async () => new Response(
      `{"chunk":0,"first":0,"count":1,"items":[{"id":1,"version":2}],"consistencyToken":"${tokens.shift()}"}\n`
      + '{"done":true,"updated":1,"failed":0}\n');
    const client = new ShopClient({ ...options, fetch });
    const replace = async (...versions) => {
      const items = versions.flatMap(version => Array.from({ length: 1000 }, () => ({ id: 1, version })));
      for await (const { items: [saved] } of client.products.replaceMany(items)) assert.equal(saved.version, 2);
    };
    client.consistencyToken = 'other';
    tokens.push('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    await replace(1, 1, 1, 1, 1, 1, 1, 1);
    assert.equal(client.consistencyToken, 'other, h');
    // The last two changed nothing.
    tokens.push('i', 'j', 'k');
    await replace(1, 2, null);
    assert.equal(client.consistencyToken, 'other, h, i, j, k');

    client.consistencyToken = 'a,b,c,d,e,f,g,h';
    tokens.push('a');
    await replace(2);
    assert.equal(client.consistencyToken, 'b, c, d, e, f, g, h, a');
  },

  async ids() {
    let count = 0;
    const counted = (...request) => {
      count++;
      return fetch(...request);
    };
    const client = new ShopClient({ ...options, fetch: counted });
    for (const id of ['../users/1', '1/stock', '1?fields=id', '', '..', ' 1', null, undefined, 1.5, NaN]) {
      await assert.rejects(client.products.get(id), TypeError, String(id));
      await assert.rejects(client.orders.getIfChanged(id, null), TypeError, String(id));
      await assert.rejects(client.users.delete(id), TypeError, String(id));
      await assert.rejects(client.users.erase(id), TypeError, String(id));
      await assert.rejects(client.products.replace(id, {}), TypeError, String(id));
      await assert.rejects(client.products.patch(id, {}), TypeError, String(id));
      await assert.rejects(client.products.setStock(id, 1), TypeError, String(id));
      await assert.rejects(client.products.changeStock(id, 1), TypeError, String(id));
      await assert.rejects(client.reviews.deleteOld(id, 1), TypeError, String(id));
    }

    for (const slug of ['.', '..']) await assert.rejects(client.products.getBySlug(slug), TypeError);
    assert.equal(count, 0);
    assert.equal((await client.products.get(String(product))).id, product);
  },

  async commands() {
    const fields = await shop.products.getBatch([2147483647, product], { fields: ['id', 'name'] });
    assert.deepEqual(fields, { data: [{ id: product, name: 'Lamp 1' }], missing: [2147483647] });
    const { value, eTag } = await shop.products.getIfChanged(product, null);
    assert.equal((await shop.products.getIfChanged(product, eTag)).value, null);
    const stale = { ifMatch: value.version + 1 };
    await refused(shop.products.patch(product, { name: 'Lantern' }, stale), 'version.mismatch');
    const patch = { name: 'Lantern', slug: 'node-lantern', description: null };
    await shop.products.patch(product, patch, { ifMatch: eTag });
    assert.equal((await shop.products.getBySlug('node-lantern')).description, null);
    const query = { categoryId: [categoryId], modifiedAfter: value.createdDate, q: 'lant*' };
    assert.equal((await shop.products.getFacets({ ...query, sort: 'price' })).totalCount, 1);
    assert.deepEqual(await shop.products.suggest('lantren'), ['lantern']);
    const item = { id: product, name: 'Lamp', price: 2, categoryId };
    for await (const chunk of shop.products.replaceMany([item])) assert.equal(chunk.items[0].version, 3);
    assert.equal((await shop.products.get(product)).name, 'Lamp');
    await assert.rejects(shop.products.create({ name: '', price: -1, stock: 1, categoryId }), error =>
      error.code === 'request.invalid' && error.errors.price.length === 1 && error.traceId.length > 0);
    assert.deepEqual(await shop.products.deleteMany([product]), { deleted: 1, notFound: [] });
    const input = { email: 'node@example.com', firstName: 'Ada', lastName: 'Lovelace', password: 'correct horse' };
    const user = await shop.users.create(input);
    for (let time = 0; time < 2; time++)
      await shop.users.erase(user.id, { ifMatch: user.version, idempotencyKey: 'node-erase' });
    assert.equal((await shop.users.get(user.id)).firstName, 'Erased');
    const visitor = { ...input, email: 'node-visitor@example.com' };
    const { id: customerId } = await shop.users.create(visitor);
    const { consistencyToken } = shop;
    assert.equal((await shop.signIn(visitor.email, visitor.password)).customerId, customerId);
    assert.equal(shop.consistencyToken, consistencyToken);
  },
};

await checks[process.argv[2]]();
console.log('checked');
