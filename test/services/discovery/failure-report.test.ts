import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createFailureReport } from '../../../src/services/discovery/provider-calls.ts';

function openReport() {
  const problems: unknown[] = [];
  const watch = createFailureReport((problem) => void problems.push(problem));
  const fail = (error: unknown, signal?: AbortSignal) =>
    watch(() => Promise.reject(error), signal).catch(() => {});
  return { problems, watch, fail };
}

const late = () => new AppError('UPSTREAM_TIMEOUT', 'late');

test('many failures of one search are told once, with their number and the first', async () => {
  const { problems, watch, fail } = openReport();
  const first = late();
  const failures = [first, late(), new AppError('UPSTREAM_FAILED', 'broken')];
  await Promise.all([...failures.map((error) => fail(error)), watch(async () => 'fine')]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    message: expect.stringMatching(/^3 calls .*UPSTREAM_TIMEOUT 2 times, UPSTREAM_FAILED 1 times/),
    cause: first,
  });
});

test('one failure is told as it is, and the next one again', async () => {
  const { problems, fail } = openReport();
  const [one, other] = [late(), new TypeError('broken')];
  await fail(one);
  await fail(other);
  expect(problems).toEqual([one, other]);
});

test('what was asked wrongly, or given up, is no problem', async () => {
  const { problems, fail } = openReport();
  await fail(new AppError('PROVIDER_UNKNOWN', 'who?'));
  await fail(new Error('gone'), AbortSignal.abort(new Error('gone')));
  expect(problems).toEqual([]);
});
