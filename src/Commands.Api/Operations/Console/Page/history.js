// The samples of the last five minutes, with rates computed from consecutive readings.

export const span = 300_000;

export class History {
  samples = [];
  #last;

  /** Adds a reading of the pipeline; the values of an unavailable part are missing. */
  add(status, at) {
    const reading = read(status, at);
    const sample = { at, lag: status.projection.lagSeconds };
    if (this.#last) Object.assign(sample, change(this.#last, reading));
    this.#last = reading;
    this.samples.push(sample);
    this.#removeOld(at);
  }

  /** Adds a gap. */
  addGap(at) {
    this.#last = undefined;
    this.samples.push({ at });
    this.#removeOld(at);
  }

  #removeOld(at) {
    while (this.samples.length && this.samples[0].at < at - span) this.samples.shift();
  }
}

function read({ log, projection, cache }, at) {
  const known = log.head != null && projection.lagEvents != null;
  const counts = new Map(cache.processes.filter((one) => one.counts).map((one) => [one.url, one.counts]));
  // Positions have no gaps, so the difference is the number of applied events.
  return { at, head: log.head, applied: known ? log.head - projection.lagEvents : null, counts, visible: projection.visible };
}

function change(before, after) {
  const seconds = (after.at - before.at) / 1000;
  const rate = (name) =>
    before[name] == null || after[name] == null ? null : Math.max(0, (after[name] - before[name]) / seconds);
  return { appended: rate('head'), applied: rate('applied'), ...hits(before.counts, after.counts), ...latency(before.visible, after.visible) };
}

// The median and the 99th percentile of the changes that became visible since the last reading.
function latency(before, after) {
  // Before its first change, a Projector reports no buckets.
  const fresh = before && after?.map(({ seconds, changes }, index) =>
    ({ seconds, changes: changes - (before[index]?.changes ?? 0) }));
  return fresh?.at(-1)?.changes > 0 ? { p50: quantile(fresh, 0.5), p99: quantile(fresh, 0.99) } : { p50: null, p99: null };
}

// Assumes that values are evenly distributed in a bucket; beyond the last bound the result is that bound.
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

// A restarted process counts from zero; a process without an earlier reading is left out.
function hits(before, after) {
  const sum = { memoryHits: 0, redisHits: 0, misses: 0 };
  for (const [url, counts] of after) {
    const earlier = before.get(url);
    if (!earlier) continue;
    for (const name of Object.keys(sum)) sum[name] += Math.max(0, counts[name] - earlier[name]);
  }
  const all = sum.memoryHits + sum.redisHits + sum.misses;
  return all ? { memory: sum.memoryHits / all, redis: sum.redisHits / all } : { memory: null, redis: null };
}
