// Keeps the stock of every product in a file and prints which products run low. docs/consume-events.md explains it.
import { EventEmitter, on } from 'node:events';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import amqp from 'amqplib';

const LOW = 5;
const SAVE_EVERY = 500;
// Milliseconds without a message after which the log is read again.
const SILENCE = 30_000;

const [file] = process.argv.slice(2);
const { COMMANDS_URL, EVENTS_KEY, RABBITMQ_URL } = process.env;
const { BROKER_EXCHANGE = 'apexshop.events', BROKER_QUEUE = 'stock-watcher' } = process.env;
if (!file || !COMMANDS_URL || !EVENTS_KEY || !RABBITMQ_URL) {
  console.error('node watcher.js <state file>, with COMMANDS_URL, EVENTS_KEY (scope events:read) and RABBITMQ_URL');
  process.exit(2);
}

// Positions are text of 19 digits, which sorts as the number does: a number of JavaScript cannot hold every position.
const empty = () => ({ log: null, position: '0'.repeat(19), products: {}, changes: {} });
let state;

function load() {
  state = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : empty();
}

// The state and its position are one file, which is replaced as a whole: a crash leaves the old one or the new one.
function save() {
  const next = fs.openSync(`${file}.next`, 'w');
  fs.writeFileSync(next, JSON.stringify(state));
  fs.fsyncSync(next);
  fs.closeSync(next);
  fs.renameSync(`${file}.next`, file);
}

// What is needed of an event; a deletion has no product.
function read({ logid, previous, sequence, type, data }) {
  const product = type.endsWith('.deleted') ? null : { name: data.name, stock: data.stock };
  return { logid, previous, sequence, id: data.id, product };
}

function apply({ sequence, id, product }) {
  state.position = sequence;
  // The number of changes is kept only to show that each event was applied once.
  const changes = state.changes[id] = (state.changes[id] ?? 0) + 1;
  if (!product) {
    delete state.products[id];
    return;
  }

  state.products[id] = product;
  const { name, stock } = product;
  if (stock < LOW) console.log(`${name} (${id}) runs low: ${stock} left after ${changes} changes.`);
}

async function* lines(body) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

// Applies what the log has after the position. A log that was restored has another identity: 410 when it lacks events
// that were applied. Old events that later ones replace may have been removed.
async function catchUp() {
  const query = new URLSearchParams({ resource: 'products', after: state.position, incomplete: true });
  if (state.log) query.set('log', state.log);
  // Without the slash the last part of its path would be replaced.
  const folder = COMMANDS_URL.replace(/\/?$/, '/');
  const response = await fetch(
    new URL(`events?${query}`, folder), { headers: { Authorization: `Bearer ${EVENTS_KEY}` } });
  if (!response.ok) {
    const problem = await response.text();
    // Another 410 may be one of a proxy.
    if (response.status !== 410 || !problem.includes('"log.replaced"'))
      throw new Error(`GET /events: ${response.status} ${problem}`);
    console.error(`The state is made again: ${problem}`);
    state = empty();
    return catchUp();
  }

  state.log = response.headers.get('log-id');
  let unsaved = 0;
  for await (const line of lines(response.body)) {
    // Sent while the log has nothing to send for long.
    if (!line) continue;
    const event = JSON.parse(line);
    if (event.error) throw new Error(`The log ended: ${line}`);
    if (event.logid !== state.log) throw new Error(`The log is ${event.logid} now.`);
    apply(read(event));
    if (++unsaved % SAVE_EVERY === 0) save();
  }

  save();
}

// Every event is in the log before it is in a message: a message that does not continue the position, is of another log
// or cannot be read is not needed.
async function take(body) {
  let events;
  try {
    events = JSON.parse(body).map(read);
  } catch {
    return catchUp();
  }

  for (const event of events) {
    // Also without a member: undefined is not at or below it.
    if (event.logid !== state.log || !(event.previous <= state.position)) return catchUp();
    if (event.sequence > state.position) apply(event);
  }

  save();
}

async function watch() {
  // What was applied before a failure and not saved is applied again.
  load();
  const deliveries = new EventEmitter();
  const messages = on(deliveries, 'message');
  let silence;
  const end = reason => deliveries.emit('error', reason ?? new Error('The connection to the broker was lost.'));
  // The iterator listens until it has ended; later errors of the same connection are not needed.
  deliveries.on('error', () => {});
  const connection = await amqp.connect(RABBITMQ_URL, { timeout: 10_000 });
  connection.on('error', end);
  connection.on('close', end);
  try {
    const channel = await connection.createChannel();
    channel.on('error', end);
    // The shop declares it: a user that may declare an exchange may also delete it.
    await channel.checkExchange(BROKER_EXCHANGE);
    await channel.assertQueue(BROKER_QUEUE, {
      durable: true, arguments: { 'x-queue-type': 'quorum', 'x-single-active-consumer': true },
    });
    await channel.bindQueue(BROKER_QUEUE, BROKER_EXCHANGE, 'products');
    // The queue is bound first: what happens while the log is read is in the queue.
    await catchUp();
    console.log(`At the end of the log, position ${state.position}; taking messages.`);
    silence = setTimeout(() => deliveries.emit('message', null), SILENCE);
    await channel.prefetch(50);
    await channel.consume(BROKER_QUEUE, message =>
      message ? deliveries.emit('message', message) : end(new Error('The queue was deleted.')));
    for await (const [message] of messages) {
      // Without a message: one may be lost, or the log restored, and no later message shows it.
      await (message ? take(message.content) : catchUp());
      // Only now: a message that was not acknowledged is delivered again, and is then a repeat.
      if (message) channel.ack(message);
      silence.refresh();
    }
  } finally {
    clearTimeout(silence);
    // A broker that hangs does not confirm the end.
    await Promise.race([connection.close().catch(() => {}), pause(5000)]);
  }
}

for (;;) {
  try {
    await watch();
  } catch (error) {
    console.error(`${error.message} Trying again after position ${state.position}.`);
  }

  await pause(1000);
}
