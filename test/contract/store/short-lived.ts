import { describe, expect, test } from 'vitest';
import { type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, justBefore, longText } from './records.ts';

export function describeRateCounters(open: OpenStore): void {
  const openCounters = async () => (await open()).store.rateCounters;

  describe('rate counters', () => {
    test('add up in a window, which keeps its end', async () => {
      const counters = await openCounters();
      const first = await counters.addRatePoints('a', 2, { now: at(0), expiresAt: at(10) });
      expect(first).toEqual({ points: 2, expiresAt: at(10) });
      const second = await counters.addRatePoints('a', 3, { now: at(5), expiresAt: at(15) });
      expect(second).toEqual({ points: 5, expiresAt: at(10) });
      expect(await counters.addRatePoints(awkwardText, 1, { now: at(5), expiresAt: at(15) })).toEqual({
        points: 1,
        expiresAt: at(15),
      });
      expect(await counters.findRateWindow('a', at(5))).toEqual({ points: 5, expiresAt: at(10) });
    });

    test('begin anew when the window has expired', async () => {
      const counters = await openCounters();
      await counters.addRatePoints('a', 2, { now: at(0), expiresAt: at(10) });
      expect(await counters.findRateWindow('a', justBefore(at(10)))).toEqual({
        points: 2,
        expiresAt: at(10),
      });
      expect(await counters.findRateWindow('a', at(10))).toBeNull();
      expect(await counters.addRatePoints('a', 3, { now: at(10), expiresAt: at(20) })).toEqual({
        points: 3,
        expiresAt: at(20),
      });
      expect(await counters.findRateWindow('a', at(10))).toEqual({ points: 3, expiresAt: at(20) });
    });

    test('give every one of many hosts a sum of its own', async () => {
      const { store, openAnother } = await open();
      const counts = await race([store, await openAnother()], 40, ({ rateCounters }) =>
        rateCounters.addRatePoints('a', 2, { now: at(0), expiresAt: at(10) }),
      );
      const sums = counts.map(({ points }) => points).toSorted((left, right) => left - right);
      expect(sums).toEqual(Array.from({ length: 40 }, (_, number) => 2 * (number + 1)));
    });

    test('are removed one at a time', async () => {
      const counters = await openCounters();
      for (const name of ['a', 'b']) {
        await counters.addRatePoints(name, 2, { now: at(0), expiresAt: at(10) });
      }
      expect(await counters.removeRateWindow('a')).toBe(true);
      expect(await counters.removeRateWindow('a')).toBe(false);
      expect(await counters.findRateWindow('a', at(1))).toBeNull();
      expect(await counters.findRateWindow('b', at(1))).toEqual({ points: 2, expiresAt: at(10) });
      expect((await counters.addRatePoints('a', 1, { now: at(1), expiresAt: at(10) })).points).toBe(1);
    });
  });
}

export function describeNonces(open: OpenStore): void {
  const openNonces = async () => (await open()).store.nonces;

  describe('nonces', () => {
    test('give back once what belongs to them', async () => {
      const nonces = await openNonces();
      expect(await nonces.addNonce('a', awkwardText, at(10))).toBe(true);
      expect(await nonces.addNonce('b', longText, at(10))).toBe(true);
      expect(await nonces.addNonce('c', '', at(10))).toBe(true);
      expect(await nonces.consumeNonce('none', at(1))).toBeNull();
      expect(await nonces.consumeNonce('a', at(1))).toBe(awkwardText);
      expect(await nonces.consumeNonce('a', at(1))).toBeNull();
      expect(await nonces.consumeNonce('b', at(1))).toBe(longText);
      expect(await nonces.consumeNonce('c', at(1))).toBe('');
    });

    test('are taken once, and keep what they were given first', async () => {
      const nonces = await openNonces();
      expect(await nonces.addNonce('a', 'first', at(10))).toBe(true);
      expect(await nonces.addNonce('a', 'second', at(20))).toBe(false);
      expect(await nonces.consumeNonce('a', at(1))).toBe('first');
    });

    test('are good until they expire', async () => {
      const nonces = await openNonces();
      await nonces.addNonce('a', 'data', at(10));
      await nonces.addNonce('b', 'data', at(10));
      expect(await nonces.consumeNonce('a', at(10))).toBeNull();
      expect(await nonces.consumeNonce('b', justBefore(at(10)))).toBe('data');
    });

    test('are accepted from one of many, and used by one of many', async () => {
      const { store, openAnother } = await open();
      const handles = [store, await openAnother()] as const;
      const added = await race(handles, 10, ({ nonces }, number) =>
        nonces.addNonce('a', `by ${number}`, at(10)),
      );
      expect(added.filter((done) => done)).toHaveLength(1);
      const used = await race(handles, 10, ({ nonces }) => nonces.consumeNonce('a', at(1)));
      expect(used.filter((data) => data !== null)).toEqual([`by ${added.indexOf(true)}`]);
    });
  });
}
