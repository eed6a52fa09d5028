// What was seen in the last five minutes, as rates between one look and the next.

export const span = 300_000;

export class History {
  samples = [];
  #last;

  /** Adds a look at the pipeline; what a part did not tell is a gap. */
  add(status, at) {
    const seen = look(status, at);
    const sample = { at, lag: status.projection.lagSeconds };
    if (this.#last) Object.assign(sample, change(this.#last, seen));
    this.#last = seen;
    this.samples.push(sample);
    this.#forget(at);
  }

  /** Nothing could be seen. */
  miss(at) {
    this.#last = undefined;
    this.samples.push({ at });
    this.#forget(at);
  }

  #forget(at) {
    while (this.samples.length && this.samples[0].at < at - span) this.samples.shift();
  }
}

function look({ log, projection, cache }, at) {
  const known = log.head != null && projection.lagEvents != null;
  const counts = new Map(cache.processes.filter((one) => one.counts).map((one) => [one.url, one.counts]));
  // Positions have no gaps: what is not behind is applied.
  return { at, head: log.head, applied: known ? log.head - projection.lagEvents : null, counts, visible: projection.visible };
}

function change(before, after) {
  const seconds = (after.at - before.at) / 1000;
  const rate = (name) =>
    before[name] == null || after[name] == null ? null : Math.max(0, (after[name] - before[name]) / seconds);
  return { appended: rate('head'), applied: rate('applied'), ...answers(before.counts, after.counts), ...ways(before.visible, after.visible) };
}

// The middle and the slowest but one in a hundred of what became visible since the last look.
function ways(before, after) {
  const fresh = after?.map(({ seconds, changes }, index) => ({ seconds, changes: changes - (before?.[index]?.changes ?? changes) }));
  return fresh?.at(-1).changes > 0 ? { p50: quantile(fresh, 0.5), p99: quantile(fresh, 0.99) } : { p50: null, p99: null };
}

// Within a bucket the values are taken to lie evenly; beyond the last bound there is no more to tell than that bound.
function quantile(buckets, share) {
  const wanted = share * buckets.at(-1).changes;
  let [from, below] = [0, 0];
  for (const { seconds, changes } of buckets) {
    if (seconds == null) return from;
    if (changes >= wanted) return from + ((seconds - from) * (wanted - below)) / (changes - below || 1);
    [from, below] = [seconds, changes];
  }
  return from;
}

// A process that started anew counts from zero, and one that was unavailable is compared with nothing.
function answers(before, after) {
  const sum = { memoryHits: 0, redisHits: 0, misses: 0 };
  for (const [url, counts] of after) {
    const earlier = before.get(url);
    if (!earlier) continue;
    for (const name of Object.keys(sum)) sum[name] += Math.max(0, counts[name] - earlier[name]);
  }
  const all = sum.memoryHits + sum.redisHits + sum.misses;
  return all ? { memory: sum.memoryHits / all, redis: sum.redisHits / all } : { memory: null, redis: null };
}
