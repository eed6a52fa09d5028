/** A refusal by the shop, after all retries. */
export class ShopProblem extends Error {
  constructor(problem, retryAfter) {
    const reasons = Object.entries(problem.errors ?? {}).map(([path, texts]) => ` ${path}: ${texts.join(' ')}`);
    super(`${problem.status} ${problem.code}: ${problem.detail ?? problem.title}${reasons.join('')}`);
    const { status, code, title, detail, errors = {}, traceId } = problem;
    Object.assign(this, { name: 'ShopProblem', problem, status, code, title, detail, errors, traceId, retryAfter });
  }
}

function secondsOf(retryAfter) {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  return Number.isNaN(seconds) ? Math.max(0, (Date.parse(retryAfter) - Date.now()) / 1000) : seconds;
}

const areReasons = errors => Object.values(errors ?? {}).every(Array.isArray);

// A response that is not from the shop, but for example from a proxy, has no code, or one that the shop does not have.
export function problemOf(response, text) {
  const retryAfter = secondsOf(response.headers.get('Retry-After'));
  let problem;
  try {
    problem = JSON.parse(text);
  } catch {
    // It still has a status.
  }

  if (typeof problem?.code !== 'string' || !areReasons(problem.errors))
    problem = { code: '' };
  // These members are declared as required, but the problem of a proxy may lack them.
  const { type, title, traceId } = problem;
  const required = { type: type ?? 'about:blank', title: title ?? response.statusText, traceId: traceId ?? '' };
  return new ShopProblem({ ...problem, ...required, status: response.status }, retryAfter);
}

// A problem of a part of a list, as that of the whole list, which has so many items before the part. A place is at the
// start of a path, or in a text of the shop that names another item.
export function afterItems(count, problem) {
  const shift = text => text.replace(
    /(^|^Item |occurs at )\[(\d+)\]/, (_, before, place) => `${before}[${count + Number(place)}]`);
  const errors = Object.entries(problem.errors ?? {}).map(([path, texts]) => [shift(path), texts.map(shift)]);
  return {
    ...problem,
    ...(problem.detail && { detail: shift(problem.detail) }),
    ...(problem.errors && { errors: Object.fromEntries(errors) }),
  };
}
