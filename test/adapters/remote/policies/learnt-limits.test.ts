import { expect, test } from 'vitest';
import { readStatedLimits } from '../../../../src/adapters/remote/policies/learnt-limits.ts';
import { createStandingClock } from '../../../fakes/clock.ts';

const clock = createStandingClock('2026-03-01T10:00:00Z');
const inAMinute = `${Date.parse('2026-03-01T10:01:00Z') / 1000}`;
const aSecond = (count: number) => ({ rate: { count, windowMs: 1_000 }, emptyForMs: null });

test.each([
  [
    'a window of a second',
    { 'ratelimit-limit': '20', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' },
    aSecond(20),
  ],
  ['the same with X', { 'x-ratelimit-limit': '20', 'x-ratelimit-reset': '1' }, aSecond(20)],
  ['a limit with its policy', { 'ratelimit-limit': '20, 20;w=1', 'ratelimit-reset': '1' }, aSecond(20)],
  ['a policy', { 'ratelimit-policy': '100;w=60' }, { rate: { count: 100, windowMs: 60_000 }, emptyForMs: null }],
  ['a policy with a name', { 'ratelimit-policy': '"burst";q=5;w=1, "day";q=900;w=86400' }, aSecond(5)],
  ['a policy of a day', { 'ratelimit-policy': '900;w=86400' }, null],
  [
    'a longer window with something left',
    { 'ratelimit-limit': '60', 'ratelimit-remaining': '3', 'ratelimit-reset': '40' },
    null,
  ],
  [
    'a longer window with nothing left',
    { 'ratelimit-limit': '60', 'ratelimit-remaining': '0', 'ratelimit-reset': '40' },
    { rate: null, emptyForMs: 40_000 },
  ],
  [
    'a reset that is a date',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inAMinute },
    { rate: null, emptyForMs: 60_000 },
  ],
  ['no limit', { 'ratelimit-limit': '0', 'ratelimit-reset': '1' }, null],
  ['words', { 'ratelimit-limit': 'many', 'ratelimit-remaining': 'some', 'ratelimit-reset': 'soon' }, null],
  ['nothing', {}, null],
])('%s', (_what, headers, expected) => {
  expect(readStatedLimits(headers, clock)).toEqual(expected);
});
