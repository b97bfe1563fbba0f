import { describe, expect, test } from 'vitest';
import { type OpenStore, race } from './opened-store.ts';
import { expectPlainPrefixes } from './prefixes.ts';
import { answer, at, awkwardText, justBefore, longText } from './records.ts';

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
    });

    test('begin anew when the window has expired', async () => {
      const counters = await openCounters();
      await counters.addRatePoints('a', 2, { now: at(0), expiresAt: at(10) });
      const last = await counters.addRatePoints('a', 1, { now: justBefore(at(10)), expiresAt: at(20) });
      expect(last).toEqual({ points: 3, expiresAt: at(10) });
      const first = await counters.addRatePoints('a', 4, { now: at(10), expiresAt: at(20) });
      expect(first).toEqual({ points: 4, expiresAt: at(20) });
    });

    test('begin anew where a clock that was ahead began the window, but not for the order of two calls', async () => {
      const counters = await openCounters();
      await counters.addRatePoints('a', 9, { now: at(3_600), expiresAt: at(3_610) });
      const second = 1 / 60;
      const window = { points: 2, expiresAt: at(10 + second) };
      const begun = { now: at(second), expiresAt: at(10 + second) };
      expect(await counters.addRatePoints('a', 2, begun)).toEqual(window);
      // A call that read its clock a little earlier, or on a host that is a little behind.
      const earlier = { now: at(0), expiresAt: at(10) };
      expect(await counters.addRatePoints('a', 3, earlier)).toEqual({ ...window, points: 5 });
      expect(await counters.addRatePoints('a', 1, { now: at(10), expiresAt: at(20) })).toMatchObject({
        points: 6,
      });
    });

    test('give every one of many hosts a sum of its own', async () => {
      const { store, openAnother } = await open();
      const counts = await race([store, await openAnother()], 40, ({ rateCounters }) =>
        rateCounters.addRatePoints('a', 2, { now: at(0), expiresAt: at(10) }),
      );
      const sums = counts.map(({ points }) => points).toSorted((left, right) => left - right);
      expect(sums).toEqual(Array.from({ length: 40 }, (_, number) => 2 * (number + 1)));
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

    test('are left by who only looks', async () => {
      const nonces = await openNonces();
      await nonces.addNonce('a', awkwardText, at(10));
      await nonces.addNonce('b', '', at(10));
      for (let time = 0; time < 2; time += 1) {
        expect(await nonces.findNonce('a', justBefore(at(10)))).toBe(awkwardText);
        expect(await nonces.findNonce('b', at(1))).toBe('');
      }
      expect(await nonces.findNonce('a', at(10))).toBeNull();
      expect(await nonces.findNonce('none', at(1))).toBeNull();
      expect(await nonces.consumeNonce('a', at(1))).toBe(awkwardText);
      expect(await nonces.findNonce('a', at(1))).toBeNull();
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
      const added = await race(handles, 10, ({ nonces }, number) => nonces.addNonce('a', `by ${number}`, at(10)));
      expect(added.filter((done) => done)).toHaveLength(1);
      const used = await race(handles, 10, ({ nonces }) => nonces.consumeNonce('a', at(1)));
      expect(used.filter((data) => data !== null)).toEqual([`by ${added.indexOf(true)}`]);
    });

    test('are claimed while none stands, also in the place of one that is over', async () => {
      const nonces = await openNonces();
      const until = (end: number) => ({ now: at(0), expiresAt: at(end) });
      expect(await nonces.claimNonce('a', until(10))).toBe(true);
      expect(await nonces.claimNonce('a', { now: justBefore(at(10)), expiresAt: at(20) })).toBe(false);
      expect(await nonces.findNonce('a', at(10))).toBeNull();
      expect(await nonces.claimNonce('a', { now: at(10), expiresAt: at(20) })).toBe(true);
      expect(await nonces.findNonce('a', justBefore(at(20)))).toBe('');
      expect(await nonces.addNonce('a', 'data', at(30))).toBe(false);
      await nonces.addNonce('b', 'data', at(10));
      expect(await nonces.claimNonce('b', until(10))).toBe(false);
      expect(await nonces.consumeNonce('b', at(1))).toBe('data');
      expect(await nonces.claimNonce('b', until(10))).toBe(true);
    });

    test('are claimed in the place of a claim that ends too late, as a clock that was ahead made it', async () => {
      const nonces = await openNonces();
      const ahead = { now: at(3_600), expiresAt: at(3_610), by: 'a' };
      expect(await nonces.claimNonce('a', ahead)).toBe(true);
      expect(await nonces.claimNonce('a', { now: at(0), expiresAt: at(10), by: 'b' })).toBe(true);
      expect(await nonces.claimNonce('a', { now: at(0), expiresAt: at(9.99), by: 'c' })).toBe(false);
      expect(await nonces.findNonce('a', at(1))).toBe('b');
    });

    test('are claimed again by who has claimed them, and by nobody else before their end', async () => {
      const nonces = await openNonces();
      const claim = (now: number, by?: string) =>
        nonces.claimNonce('a', { now: at(now), expiresAt: at(now + 10), ...(by !== undefined && { by }) });
      expect(await claim(0, 'one')).toBe(true);
      expect(await claim(1, 'two')).toBe(false);
      expect(await claim(1)).toBe(false);
      expect(await claim(5, 'one')).toBe(true);
      expect(await nonces.findNonce('a', at(14))).toBe('one');
      expect(await claim(14, 'two')).toBe(false);
      expect(await claim(15, 'two')).toBe(true);
      expect(await claim(16, 'one')).toBe(false);
    });

    test('are claimed by one of many, where one is over as where none is', async () => {
      const { store, openAnother } = await open();
      const handles = [store, await openAnother()] as const;
      for (let round = 0; round < 5; round += 1) {
        const times = { now: at(10 * round), expiresAt: at(10 * round + 10) };
        const claimed = await race(handles, 10, ({ nonces }) => nonces.claimNonce('a', times));
        expect(claimed.filter((done) => done)).toHaveLength(1);
      }
    });

    test('are removed by the very beginning of their names', async () => {
      const nonces = await openNonces();
      const kept = new Set<string>();
      await expectPlainPrefixes({
        async add(name) {
          if (await nonces.addNonce(name, '', at(10))) kept.add(name);
        },
        remove: (prefix) => nonces.removeNonces(prefix),
        async list() {
          const found = await Promise.all(
            [...kept].map(async (name) => ((await nonces.findNonce(name, at(1))) === null ? [] : [name])),
          );
          kept.clear();
          return found.flat();
        },
      });
    });

    test('are removed also where they are over', async () => {
      const nonces = await openNonces();
      await nonces.addNonce('a 1', '', at(-10));
      await nonces.addNonce('a 2', '', at(10));
      expect(await nonces.removeNonces('a ')).toBe(2);
      expect(await nonces.removeNonces('a ')).toBe(0);
    });
  });
}

export function describeAnswers(open: OpenStore): void {
  const openAnswers = async () => (await open()).store.answers;

  describe('shared answers', () => {
    test('come back as often as they are asked for', async () => {
      const answers = await openAnswers();
      const longKey = 'k'.repeat(1_000);
      const kept = [
        [longKey, answer(longText.repeat(20))],
        [awkwardText, answer(awkwardText, { answeredAt: at(-5) })],
        ['', answer('')],
      ] as const;
      for (const [key, given] of kept) await answers.keepAnswer(key, given);
      for (const [key, given] of [...kept, ...kept]) expect(await answers.findAnswer(key, at(1))).toEqual(given);
      expect(await answers.findAnswer(longKey.slice(1), at(1))).toBeNull();
    });

    test('replace what was there before', async () => {
      const answers = await openAnswers();
      await answers.keepAnswer('a', answer('first'));
      await answers.keepAnswer('b', answer('other'));
      const second = answer('second', { answeredAt: at(5), expiresAt: at(7) });
      await answers.keepAnswer('a', second);
      expect(await answers.findAnswer('a', at(6))).toEqual(second);
      expect(await answers.findAnswer('b', at(6))).toEqual(answer('other'));
    });

    test('are good until they expire', async () => {
      const answers = await openAnswers();
      await answers.keepAnswer('a', answer('text'));
      expect(await answers.findAnswer('a', justBefore(at(10)))).toEqual(answer('text'));
      expect(await answers.findAnswer('a', at(10))).toBeNull();
      const renewed = answer('new', { answeredAt: at(10), expiresAt: at(20) });
      await answers.keepAnswer('a', renewed);
      expect(await answers.findAnswer('a', at(10))).toEqual(renewed);
    });

    test('are seen by all hosts, who may keep them at once', async () => {
      const { store, openAnother } = await open();
      const other = await openAnother();
      await race([store, other], 20, ({ answers }, number) => answers.keepAnswer('a', answer(`by ${number}`)));
      const found = await store.answers.findAnswer('a', at(1));
      expect(found!.text).toMatch(/^by \d+$/);
      expect(await other.answers.findAnswer('a', at(1))).toEqual(found);
    });
  });
}
