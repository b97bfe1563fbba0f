import { expect, test } from 'vitest';
import {
  defaultBackoff,
  drawNextAttemptMs,
  drawPostponedAttemptMs,
} from '../../../src/services/host/outbox-retries.ts';

const HOUR_MS = 3_600_000;
const wait = (failures: number, random = 0, retryAfterSeconds?: number) =>
  drawNextAttemptMs({ failures, random, retryAfterSeconds }, defaultBackoff);

test('it waits half a minute, then twice as long each time, a day at most, and then no more', () => {
  const minutes = Array.from({ length: 15 }, (_, i) => wait(i + 1)).map((ms) => ms && ms / 60_000);
  expect(minutes).toEqual([0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, null, null]);
});

test('up to a quarter is added, so that what failed together is not tried together, but never to a day', () => {
  const spread = [0, 0.5, 0.999].map((random) => wait(1, random));
  expect(spread).toEqual([30_000, 33_750, 37_493]);
  expect(wait(13, 0.999)).toBe(24 * HOUR_MS);
});

test('a service that asks for more time gets it, a day at most; one that asks for less does not', () => {
  expect(wait(1, 0.5, 600)).toBe(600_000);
  expect(wait(1, 0, 1)).toBe(30_000);
  expect(wait(1, 0, 1e9)).toBe(24 * HOUR_MS);
  expect(wait(14, 0, 600)).toBeNull();
});

test('one wait is enough where the first is the longest', () => {
  const backoff = { firstMs: 5, maxMs: 5 };
  const waits = [1, 2].map((each) =>
    drawNextAttemptMs({ failures: each, random: 0, retryAfterSeconds: undefined }, backoff),
  );
  expect(waits).toEqual([5, null]);
});

test('what is no failure waits as long as it is told, and up to a quarter more; a day at most, and never not at all', () => {
  const postponed = (retryAfterSeconds: number | undefined, random = 0) =>
    drawPostponedAttemptMs({ retryAfterSeconds, random }, defaultBackoff);
  expect([postponed(10), postponed(10, 0.999)]).toEqual([10_000, 12_498]);
  expect([postponed(undefined), postponed(0), postponed(1e9, 0.5)]).toEqual([30_000, 1_000, 24 * HOUR_MS]);
});
