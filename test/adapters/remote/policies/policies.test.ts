import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer, Send } from '../../../../src/adapters/remote/call.ts';
import { defaultPolicyOptions, withPolicies } from '../../../../src/adapters/remote/policies/policies.ts';
import { systemClock } from '../../../../src/ports/clock.ts';
import { aCall, answerOf, createGate } from './calls.ts';

// A breaker reads this clock to end its pause.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));

afterEach(() => void vi.useRealTimers());

const options = { maxRetries: 0, maxFailures: 2, maxFailuresOfService: 4, pauseMs: 10_000 };

/** Calls of operations by their path; `made` are the paths of those that were really made. */
function open(answer: (path: string) => Promise<Answer>) {
  const made: string[] = [];
  const plain: Send = ({ url }) => {
    made.push(url.pathname);
    return answer(url.pathname);
  };
  const policed = withPolicies(plain, {
    ...defaultPolicyOptions,
    ...options,
    timeoutMs: 9_000,
    clock: systemClock,
  });
  const send = (path: string) =>
    policed(aCall({ operation: path.slice(1) as 'suggest', url: new URL(path, 'http://api.example.org') })).then(
      ({ status }) => status,
      (error) => error.code,
    );
  return { made, send };
}

test('a paused service is not resumed by a call that was not made', async () => {
  const late = createGate<Answer>();
  const { made, send } = open((path) => (path === '/late' ? late.opened : Promise.resolve(answerOf(500))));
  const lateCalls = [send('/late'), send('/late')];
  for (const path of ['/a', '/a', '/b', '/b']) await send(path);
  expect(await send('/c')).toBe('UPSTREAM_PAUSED');
  vi.advanceTimersByTime(9_000);
  late.open(answerOf(500));
  expect(await Promise.all(lateCalls)).toEqual([500, 500]);
  // The pause of the service is over, that of the late operation is not.
  vi.advanceTimersByTime(1_500);
  made.length = 0;
  expect(await send('/late')).toBe('UPSTREAM_PAUSED');
  expect(made).toEqual([]);
  await Promise.all(['/d', '/e', '/f', '/d', '/e', '/f'].map(send));
  expect(made).toEqual(['/d']);
});
