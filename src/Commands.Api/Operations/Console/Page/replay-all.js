// Replays everything of a list, page by page: first as a dry run, whose result is the question before the real one.

import { ask } from './confirm.js';

const pageSize = 20;

/**
 * `all` describes the kind: `progress`, `question` and `result` are sentences about the sum of the pages. Returns a
 * sentence; `onProgress` is called with others meanwhile.
 */
export async function replayAll(api, path, all, onProgress, signal) {
  const found = await run(api, path, all, true, onProgress, signal);
  if (!found.applied) return `Nothing can be applied: ${found.reason ?? 'there is nothing to replay'}`;
  const question = { title: 'Replay all?', text: all.question(found), yes: 'Replay all', no: 'Cancel' };
  const isConfirmed = await ask(question, signal);
  return isConfirmed ? all.result(await run(api, path, all, false, onProgress, signal)) : '';
}

async function run(api, path, all, isDryRun, onProgress, signal) {
  const sum = { items: 0, applied: 0, left: 0, reason: undefined };
  let after;
  do {
    onProgress(`${isDryRun ? 'Checking' : 'Replaying'}: ${all.progress(sum)}`);
    const position = after == null ? '' : `&after=${encodeURIComponent(after)}`;
    const page = await api.json(`${path}/replay?dryRun=${isDryRun}&limit=${pageSize}${position}`, { method: 'POST', signal });
    sum.items += page.items.length;
    sum.applied += page.applied;
    sum.left += page.left ?? page.refused;
    sum.reason ??= page.items.find((item) => item.reason)?.reason;
    after = page.next;
  } while (after != null);
  return sum;
}
