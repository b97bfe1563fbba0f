import { expect, test, vi } from 'vitest';
import type { Answer, Send } from '../../../../src/adapters/remote/call.ts';
import { createCaution } from '../../../../src/adapters/remote/policies/caution.ts';
import { AppError } from '../../../../src/errors.ts';
import { aCall, answerOf, createGate, unreachable } from './calls.ts';

const late = new AppError('UPSTREAM_TIMEOUT', 'Late.');

const fail =
  (error: Error): Send =>
  () =>
    Promise.reject(error);

/** Two operations of a service, where two suspects may be asked at the same time. */
function openCaution() {
  const create = createCaution({ maxSuspects: 2, minTimeMs: 60_000 });
  const [one, other] = [create(), create()];
  return { one, other };
}

/** How many of three calls at once are made. */
async function countMade(policy: ReturnType<typeof openCaution>['one']): Promise<number> {
  const gate = createGate<Answer>();
  const send = vi.fn(() => gate.opened);
  const calls = [1, 2, 3].map(() => policy(aCall(), send).catch((error) => error));
  gate.open(answerOf(200));
  const refused = (await Promise.all(calls)).filter((outcome) => outcome instanceof AppError);
  for (const error of refused) expect(error).toMatchObject({ code: 'UPSTREAM_PAUSED', retryAfterSeconds: 1 });
  return send.mock.calls.length;
}

test.each([
  ['was late', late],
  ['took long to connect', new AppError('UPSTREAM_UNREACHABLE', 'Gone.', { data: { connection: 'late' } })],
])('what %s has only a few calls at once, until it answers', async (_what, error) => {
  const { one, other } = openCaution();
  await one(aCall(), fail(error)).catch(() => {});
  expect(await countMade(other)).toBe(3);
  expect(await countMade(one)).toBe(2);
  expect(await countMade(one)).toBe(3);
});

test('all that were late share the few', async () => {
  const { one, other } = openCaution();
  for (const policy of [one, other]) await policy(aCall(), fail(late)).catch(() => {});
  const gate = createGate<Answer>();
  const under = [1, 2].map(() => one(aCall(), () => gate.opened));
  await expect(other(aCall(), async () => answerOf(200))).rejects.toMatchObject({ code: 'UPSTREAM_PAUSED' });
  gate.open(answerOf(200));
  await Promise.all(under);
  expect(await other(aCall(), async () => answerOf(200))).toEqual(answerOf(200));
});

test.each([
  ['fails at once', aCall(), unreachable('unmade')],
  ['is given up by its caller', aCall({ callerSignal: AbortSignal.abort(late) }), late],
  ['has no time to answer', aCall({ signal: AbortSignal.abort(late) }), late],
])('what %s is no suspect', async (_what, call, error) => {
  const { one } = openCaution();
  await one(call, fail(error)).catch(() => {});
  expect(await countMade(one)).toBe(3);
});
