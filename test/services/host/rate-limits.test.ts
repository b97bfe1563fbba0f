import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RateCounterRepository } from '../../../src/ports/store/store.ts';
import { createBlockSpender, createLocalCounters, createRateLimiter } from '../../../src/services/host/rate-limits.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { openTestStore } from '../../helpers/test-store.ts';

let counters: RateCounterRepository;
let clock: StandingClock;
/** Times that the shared count was added to. */
let writes: number;
beforeEach(() => {
  const store = openTestStore(`${makeTempDir()}/skilldock.db`);
  onTestFinished(() => store.close());
  clock = createStandingClock();
  writes = 0;
  counters = {
    ...store.rateCounters,
    addRatePoints(...args) {
      writes++;
      return store.rateCounters.addRatePoints(...args);
    },
  };
});

const limitOf = (points: number, windowSeconds = 60) => ({ name: 'test', points, windowSeconds });
const limiterOf = (points: number, windowSeconds = 60) =>
  createRateLimiter(counters, clock, limitOf(points, windowSeconds));
const spenderOf = (points: number, windowSeconds = 60) => createBlockSpender(limiterOf(points, windowSeconds), clock);

describe('a limiter', () => {
  test('allows what is left, and says how it stands', async () => {
    const limiter = limiterOf(3);
    expect(await limiter.consume('a')).toEqual({ isAllowed: true, used: 1, remaining: 2, endsInMs: 60_000 });
    clock.advance(20_000);
    expect(await limiter.consume('a', 2)).toEqual({
      isAllowed: true,
      used: 3,
      remaining: 0,
      endsInMs: 40_000,
    });
    expect(await limiter.consume('a')).toEqual({ isAllowed: false, used: 4, remaining: 0, endsInMs: 40_000 });
    expect(await limiter.consume('b')).toMatchObject({ isAllowed: true, used: 1 });
  });

  test('begins anew when the window is over, not before', async () => {
    const limiter = limiterOf(1);
    await limiter.consume('a');
    clock.advance(59_999);
    expect(await limiter.consume('a')).toMatchObject({ isAllowed: false });
    clock.advance(1);
    expect(await limiter.consume('a')).toMatchObject({ isAllowed: true, used: 1, endsInMs: 60_000 });
  });

  test.each([
    ['one', () => limiterOf(2).consume],
    ['one over local counters', () => createRateLimiter(createLocalCounters(), clock, limitOf(2)).consume],
    ['a spender', () => spenderOf(2)],
  ])('%s is not locked after a clock was ahead for a moment', async (_, open) => {
    const consume = open();
    const use = () => consume('a');
    for (const ahead of [3_600_000, 30 * 24 * 3_600_000]) {
      clock.advance(ahead);
      for (let used = 0; used < 4; used++) await use();
      clock.advance(-ahead);
      expect(await use()).toMatchObject({ isAllowed: true, endsInMs: 60_000 });
      clock.advance(60_000);
    }
  });

  test('others under another name count apart, under the same name together', async () => {
    await limiterOf(5).consume('a', 5);
    expect(await limiterOf(5).consume('a')).toMatchObject({ isAllowed: false });
    const other = createRateLimiter(counters, clock, { name: 'other', points: 5, windowSeconds: 60 });
    expect(await other.consume('a')).toMatchObject({ isAllowed: true });
  });

  test('passes on an error of the store', async () => {
    counters.addRatePoints = () => Promise.reject(new Error('full'));
    await expect(limiterOf(5).consume('a')).rejects.toThrow('full');
  });

  test('over local counters allows and begins anew in the same way', async () => {
    counters = createLocalCounters();
    const limiter = limiterOf(2);
    expect(await limiter.consume('a')).toEqual({ isAllowed: true, used: 1, remaining: 1, endsInMs: 60_000 });
    clock.advance(20_000);
    expect(await limiter.consume('a', 2)).toMatchObject({ isAllowed: false, used: 3, endsInMs: 40_000 });
    expect(await limiter.consume('b')).toMatchObject({ isAllowed: true, used: 1 });
    clock.advance(40_000);
    expect(await limiter.consume('a')).toMatchObject({ isAllowed: true, used: 1, endsInMs: 60_000 });
  });
});

describe('spending in blocks', () => {
  test('a limit below 200 is exact, whatever part of it is spent where', async () => {
    const hosts = [spenderOf(150), spenderOf(150)];
    const spent = await Promise.all(Array.from({ length: 400 }, (_, i) => hosts[i % 2]!('a')));
    expect(spent.filter(({ isAllowed }) => isAllowed)).toHaveLength(150);
  });

  test('a large limit costs about a hundred writes, and loses at most a hundredth in each host', async () => {
    const hosts = [spenderOf(10_000), spenderOf(10_000)];
    let allowed = 0;
    // One after the other in a ragged order, until both hosts refuse.
    for (let i = 0, refused = 0; refused < 50; i++) {
      const { isAllowed } = await hosts[(i * 7) % 3 === 0 ? 0 : 1]!('a');
      if (isAllowed) allowed++;
      else refused++;
    }
    expect(allowed).toBeLessThanOrEqual(10_000);
    expect(allowed).toBeGreaterThanOrEqual(9_900);
    expect(writes).toBeLessThanOrEqual(103);
  });

  test('who waits at the same time shares one write', async () => {
    const spend = spenderOf(10_000);
    await Promise.all(Array.from({ length: 90 }, () => spend('a')));
    // One that the first began alone, and at most one for all who came while it was written.
    expect(writes).toBeLessThanOrEqual(2);
  });

  test('of a last block that is only partly free, the part is spent', async () => {
    await limiterOf(1_000).consume('a', 997);
    const spend = spenderOf(1_000);
    const spent = [];
    for (let i = 0; i < 5; i++) spent.push((await spend('a')).isAllowed);
    expect(spent).toEqual([true, true, true, false, false]);
  });

  test('when it is used up, the store is asked no more until the window ends', async () => {
    const spend = spenderOf(2);
    for (let i = 0; i < 3; i++) await spend('a');
    const before = writes;
    for (let i = 0; i < 100; i++) expect((await spend('a')).isAllowed).toBe(false);
    expect(writes).toBe(before);
    clock.advance(60_000);
    expect(await spend('a')).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  test('what is left counts down by one, through every block', async () => {
    const spend = spenderOf(1_000);
    for (let left = 999; left > 950; left--) expect((await spend('a')).remaining).toBe(left);
  });

  test('what was taken and not spent ends with its window', async () => {
    const spend = spenderOf(1_000);
    await spend('a');
    clock.advance(60_000);
    expect(await spend('a')).toMatchObject({ isAllowed: true, remaining: 999, endsInMs: 60_000 });
  });

  test('a store that fails refuses those who wait, and is asked again by the next', async () => {
    const spend = spenderOf(10);
    const works = counters.addRatePoints;
    counters.addRatePoints = () => Promise.reject(new Error('full'));
    const results = await Promise.allSettled([spend('a'), spend('a')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    counters.addRatePoints = works;
    expect(await spend('a')).toMatchObject({ isAllowed: true, remaining: 9 });
  });
});
