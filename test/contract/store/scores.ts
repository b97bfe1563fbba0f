import { describe, expect, test } from 'vitest';
import type { ScoreOutcome, ScoreRecord } from '../../../src/ports/store/store.ts';
import { score } from './lti-records.ts';
import { ids, type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, justBefore, tenant } from './records.ts';

const waiting = (id: string, changes: Partial<ScoreRecord> = {}) => score(id, { dueAt: at(10), ...changes });

/** What became of a delivery. */
const outcome = (state: ScoreOutcome['state'], dueAt: Date, changes: Partial<ScoreOutcome> = {}): ScoreOutcome => ({
  state,
  dueAt,
  failures: 0,
  lastError: null,
  earnedAt: at(0),
  ...changes,
});
const failed = { failures: 1, lastError: 'timed out' };

export function describeScores(open: OpenStore): void {
  const openWith = async (records: readonly ScoreRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.scores.putScore(record);
    return { repository: store.scores, store, openAnother };
  };

  describe('scores', () => {
    test('come back as they were put, in their tenant', async () => {
      const kept = [
        score('a', { userId: awkwardText, lineItem: awkwardText, lastError: awkwardText }),
        score(awkwardText, { tenantId: 'paris', leasedUntil: at(5), attempts: 3, failures: 2 }),
      ];
      const { repository } = await openWith(kept);
      for (const record of kept) expect(await repository.findScore(record.tenantId, record.id)).toEqual(record);
      expect(await repository.findScore('paris', 'a')).toBeNull();
      expect(await repository.findScore('lyon', 'none')).toBeNull();
    });

    test('that failed or were parked are resumed, and no others', async () => {
      const failed = { failures: 3, lastError: 'timed out', dueAt: at(90) };
      const { repository } = await openWith([
        score('failed', failed),
        score('leased', { ...failed, leasedUntil: at(95) }),
        score('new', { dueAt: at(90) }),
        score('parked', { ...failed, state: 'parked' }),
        ...(['delivered', 'refused', 'dismissed', 'withdrawn'] as const).map((state) =>
          score(state, { ...failed, state }),
        ),
      ]);
      for (const [id, failures] of [
        ['failed', 3],
        ['parked', 0],
      ] as const) {
        expect(await repository.resumeScore('paris', id, at(50))).toBe(false);
        expect(await repository.resumeScore('lyon', id, at(50))).toBe(true);
        expect(await repository.findScore('lyon', id)).toMatchObject({ state: 'waiting', dueAt: at(50), failures });
      }
      for (const id of ['leased', 'new', 'delivered', 'refused', 'dismissed', 'withdrawn', 'none'])
        expect(await repository.resumeScore('lyon', id, at(50))).toBe(false);
    });

    test('that wait for their first delivery are withdrawn or released, and no others', async () => {
      const held = { state: 'waiting', lastError: null, leasedUntil: null, dueAt: at(20) } as const;
      const { repository } = await openWith([
        score('withdrawn', { ...held, attempts: 2 }),
        score('released', held),
        score('due', { ...held, dueAt: at(10) }),
        score('leased', { ...held, leasedUntil: at(30) }),
        score('failed', { ...held, lastError: 'timed out', failures: 1 }),
        score('delivered', { ...held, state: 'delivered' }),
      ]);
      const { withdrawHeldScore, releaseHeldScore } = repository;
      for (const change of [withdrawHeldScore, releaseHeldScore]) {
        for (const id of ['due', 'leased', 'failed', 'delivered', 'none'])
          expect(await change('lyon', id, at(10))).toBe(false);
        expect(await change('paris', 'released', at(10))).toBe(false);
      }
      expect(await withdrawHeldScore('lyon', 'withdrawn', at(10))).toBe(true);
      expect(await withdrawHeldScore('lyon', 'withdrawn', at(10))).toBe(false);
      expect(await repository.findScore('lyon', 'withdrawn')).toMatchObject({ state: 'withdrawn', attempts: 3 });
      expect(await releaseHeldScore('lyon', 'released', at(10))).toBe(true);
      expect(await releaseHeldScore('lyon', 'released', at(10))).toBe(false);
      expect(await repository.findScore('lyon', 'released')).toMatchObject({ state: 'waiting', dueAt: at(10) });
    });

    test('are withdrawn or taken for delivery, whoever is quicker', async () => {
      const { repository, openAnother } = await openWith();
      const other = (await openAnother()).scores;
      for (let round = 0; round < 5; round++) {
        const id = `s${round}`;
        await repository.putScore(score(id, { state: 'waiting', lastError: null, leasedUntil: null, dueAt: at(20) }));
        const done = await Promise.all([
          repository.withdrawHeldScore('lyon', id, at(10)),
          other.releaseHeldScore('lyon', id, at(10)),
        ]);
        const { state } = (await repository.findScore('lyon', id))!;
        expect([done[0], state]).toEqual(done[0] ? [true, 'withdrawn'] : [false, 'waiting']);
        expect(done.filter(Boolean)).toHaveLength(1);
      }
    });

    test('tell whose were refused or parked, by link', async () => {
      const states = ['waiting', 'delivered', 'refused', 'parked', 'dismissed', 'withdrawn'] as const;
      const { repository } = await openWith([
        ...states.map((state) => score(state, { state, userId: state })),
        score('other', { state: 'refused', linkId: 'other', userId: 'elsewhere' }),
      ]);
      const { linkId } = score('a');
      expect(await repository.listUnsentLearners('lyon', linkId)).toEqual(['parked', 'refused']);
      expect(await repository.listUnsentLearners('paris', linkId)).toEqual([]);
    });

    test('are replaced by the next one, which has one attempt more', async () => {
      const { repository } = await openWith([score('a', { attempts: 3, failures: 2, lastError: 'timed out' })]);
      const next = score('a', {
        points: 20,
        earnedAt: at(5),
        dueAt: at(5),
        lineItem: 'https://other.example',
      });
      await repository.putScore(next);
      expect(await repository.findScore('lyon', 'a')).toEqual({ ...next, attempts: 4 });
    });

    test('that are put by many at once are one', async () => {
      const { store, repository, openAnother } = await openWith();
      await race([store, await openAnother()], 10, ({ scores }, number) =>
        scores.putScore(score('a', { points: number + 1 })),
      );
      expect(await repository.findScore('lyon', 'a')).toMatchObject({ attempts: 9 });
      expect(await repository.countUnsentScores('lyon', 'moodle')).toMatchObject({ waiting: 1 });
    });
  });

  describe('the delivery of scores', () => {
    test('is claimed for the longest due, and counted', async () => {
      const { repository } = await openWith([
        waiting('late', { dueAt: at(9), registrationId: 'canvas' }),
        ...['b', 'a'].map((id) => waiting(id, { dueAt: at(8) })),
        waiting('first', { dueAt: at(7), attempts: 4, ...failed }),
      ]);
      const claimed = waiting('first', { dueAt: at(7), leasedUntil: at(30), attempts: 5, ...failed });
      expect(await repository.claimDue(at(10), at(30))).toEqual(claimed);
      expect(await repository.findScore('lyon', 'first')).toEqual(claimed);
      const claim = async () => (await repository.claimDue(at(10), at(30)))?.id;
      expect([await claim(), await claim(), await claim()]).toEqual(['a', 'b', 'late']);
      expect(await repository.claimDue(at(10), at(30))).toBeNull();
    });

    test('is not claimed before it is due, or where there is nothing to deliver', async () => {
      const { repository } = await openWith([
        waiting('due'),
        ...(['delivered', 'refused', 'parked'] as const).map((state) => score(state, { state })),
      ]);
      expect(await repository.claimDue(justBefore(at(10)), at(30))).toBeNull();
      expect(await repository.claimDue(at(10), at(30))).toMatchObject({ id: 'due' });
      expect(await repository.claimDue(at(10), at(30))).toBeNull();
    });

    test('can be claimed again when the lease is over', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDue(at(10), at(30));
      expect(await repository.claimDue(justBefore(at(30)), at(50))).toBeNull();
      const again = waiting('a', { attempts: 2, leasedUntil: at(50) });
      expect(await repository.claimDue(at(30), at(50))).toEqual(again);
    });

    test('is left where its registration is busy', async () => {
      const { repository } = await openWith([
        ...['a', 'b'].map((id) => waiting(id, { dueAt: at(1) })),
        waiting('other', { dueAt: at(5), registrationId: 'canvas' }),
        waiting('not due', { dueAt: at(30), registrationId: 'canvas' }),
      ]);
      expect(await repository.findNextDue(['moodle'])).toEqual(at(5));
      expect(await repository.claimDue(at(10), at(30), ['moodle', 'none'])).toMatchObject({
        id: 'other',
      });
      expect(await repository.claimDue(at(10), at(30), ['moodle'])).toBeNull();
      expect(await repository.findNextDue(['moodle'])).toEqual(at(30));
      expect(await repository.findNextDue(['moodle', 'canvas'])).toBeNull();
      expect(await repository.claimDue(at(10), at(30))).toMatchObject({ id: 'a' });
    });

    test('is claimed by one host only', async () => {
      const names = Array.from({ length: 12 }, (_, number) => `s${number + 10}`);
      const { store, openAnother } = await openWith(names.map((id) => waiting(id)));
      const claims = await race([store, await openAnother()], 20, ({ scores }) => scores.claimDue(at(10), at(30)));
      const taken = claims.filter((record) => record !== null);
      expect(ids(taken).toSorted()).toEqual(names);
      expect(taken.every(({ attempts }) => attempts === 1)).toBe(true);
    });

    test('is settled with what became of it, by the last claim and once', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDue(at(10), at(30));
      await repository.claimDue(at(30), at(50));
      const later = outcome('waiting', at(60), { ...failed, earnedAt: at(7) });
      for (const attempts of [1, 3]) expect(await repository.settleScore('a', attempts, later)).toBe(false);
      expect(await repository.findScore('lyon', 'a')).toEqual(waiting('a', { attempts: 2, leasedUntil: at(50) }));
      expect(await repository.settleScore('a', 2, later)).toBe(true);
      expect(await repository.findScore('lyon', 'a')).toEqual(waiting('a', { attempts: 2, ...later }));
      const delivered = outcome('delivered', at(60), { earnedAt: at(7) });
      expect(await repository.settleScore('a', 2, delivered)).toBe(true);
      expect(await repository.settleScore('a', 2, later)).toBe(false);
      expect(await repository.findScore('lyon', 'a')).toEqual(waiting('a', { attempts: 2, ...delivered }));
      expect(await repository.settleScore('none', 0, delivered)).toBe(false);
    });

    test('settles nothing of a score that was replaced meanwhile', async () => {
      const { repository } = await openWith([waiting('a')]);
      await repository.claimDue(at(10), at(30));
      await repository.putScore(waiting('a', { points: 20 }));
      expect(await repository.settleScore('a', 1, outcome('delivered', at(10)))).toBe(false);
      const claimed = waiting('a', { points: 20, attempts: 3, leasedUntil: at(31) });
      expect(await repository.claimDue(at(11), at(31))).toEqual(claimed);
      expect(await repository.settleScore('a', 1, outcome('delivered', at(10)))).toBe(false);
      expect(await repository.settleScore('a', 3, outcome('delivered', at(10)))).toBe(true);
    });

    test('is next due when the first that waits is, but for what is under way', async () => {
      const { repository } = await openWith([
        waiting('late', { dueAt: at(20) }),
        waiting('first', { dueAt: at(15), tenantId: 'paris' }),
        ...(['delivered', 'refused', 'parked'] as const).map((state) => score(state, { state })),
      ]);
      expect(await repository.findNextDue()).toEqual(at(15));
      await repository.claimDue(at(15), at(45));
      expect(await repository.findNextDue()).toEqual(at(20));
      await repository.settleScore('late', 0, outcome('refused', at(20), failed));
      expect(await repository.findNextDue()).toBeNull();
      await repository.settleScore('first', 1, outcome('waiting', at(50), failed));
      expect(await repository.findNextDue()).toEqual(at(50));
    });

    test('is due now where a clock that was wrong put it off too far, or leased it for too long', async () => {
      const { repository } = await openWith([
        waiting('far', { dueAt: at(400) }),
        waiting('held', { dueAt: at(12), leasedUntil: at(400) }),
        waiting('usual', { dueAt: at(30), leasedUntil: at(20) }),
        score('parked', { state: 'parked', dueAt: at(400) }),
      ]);
      const latest = { latestDue: at(40), latestLease: at(30) };
      const find = (id: string) => repository.findScore('lyon', id);
      expect(await repository.correctTimes(at(15), latest)).toBe(2);
      expect(await find('far')).toEqual(waiting('far', { dueAt: at(15) }));
      expect(await find('held')).toEqual(waiting('held', { dueAt: at(12) }));
      expect(await find('usual')).toEqual(waiting('usual', { dueAt: at(30), leasedUntil: at(20) }));
      expect(await find('parked')).toMatchObject({ dueAt: at(400) });
      expect(await repository.correctTimes(at(15), latest)).toBe(0);
    });
  });

  describe('scores that did not arrive', () => {
    const unsent = (tenantId: string, registrationId: string, linkId: string) =>
      (['waiting', 'parked', 'parked', 'refused', 'delivered', 'delivered'] as const).map((state, number) => {
        const id = `${tenantId} ${registrationId} ${linkId} ${number}`;
        return score(id, { tenantId, registrationId, linkId, state, attempts: 9, ...failed });
      });

    test('are counted by registration, and by link', async () => {
      const { repository } = await openWith([
        ...unsent('lyon', 'moodle', 'a'),
        ...unsent('lyon', 'moodle', 'b'),
        ...unsent('lyon', 'canvas', 'c'),
        ...unsent('paris', 'moodle', 'a'),
      ]);
      const counts = { waiting: 1, parked: 2, refused: 1 };
      const twice = { waiting: 2, parked: 4, refused: 2 };
      const none = { waiting: 0, parked: 0, refused: 0 };
      expect(await repository.countUnsentScores('lyon', 'moodle')).toEqual(twice);
      expect(await repository.countUnsentScores('paris', 'moodle')).toEqual(counts);
      expect(await repository.countUnsentScores('paris', 'canvas')).toEqual(none);
      expect(await repository.countUnsentScoresOfLink('lyon', 'a')).toEqual(counts);
      expect(await repository.countUnsentScoresOfLink('paris', 'a')).toEqual(counts);
      expect(await repository.countUnsentScoresOfLink('paris', 'b')).toEqual(none);
    });

    test('are counted without some learners, and have reasons until they are dismissed', async () => {
      const refused = (userId: string, lastError: string, more: Partial<ScoreRecord> = {}) =>
        score(userId, { linkId: 'a', userId, state: 'refused', lastError, ...more });
      const { repository } = await openWith([
        refused('ada', 'No.'),
        refused('bob', 'No.'),
        refused('cy', 'Never.'),
        refused('other', 'Else.', { linkId: 'b' }),
        score('due', { linkId: 'a', userId: 'due' }),
      ]);
      expect([...(await repository.listRefusals('lyon', 'a'))].sort()).toEqual(['Never.', 'No.']);
      expect(await repository.listRefusals('lyon', 'a', ['cy'])).toEqual(['No.']);
      expect((await repository.countUnsentScoresOfLink('lyon', 'a', ['cy', 'bob'])).refused).toBe(1);
      expect(await repository.dismissScores('lyon', 'a')).toBe(3);
      expect(await repository.dismissScores('lyon', 'a')).toBe(0);
      expect(await repository.countUnsentScoresOfLink('lyon', 'a')).toMatchObject({ refused: 0 });
      expect(await repository.listRefusals('lyon', 'b')).toEqual(['Else.']);
      expect(await repository.requeueScores('lyon', 'moodle', at(20))).toBe(1);
    });

    test('are withdrawn also while they are under way', async () => {
      const { repository } = await openWith([
        waiting('ada', { linkId: 'a', userId: 'ada' }),
        score('bob', { linkId: 'a', userId: 'bob', state: 'parked' }),
        score('other', { linkId: 'b', userId: 'ada', state: 'parked' }),
      ]);
      const { attempts } = (await repository.claimDue(at(15), at(45)))!;
      const link = { tenantId: 'lyon', linkId: 'a' };
      await repository.withdrawScores({ ...link, userId: 'ada' });
      expect(await repository.settleScore('ada', attempts, outcome('delivered', at(16)))).toBe(false);
      expect(await repository.findScore('lyon', 'ada')).toMatchObject({
        state: 'withdrawn',
        leasedUntil: null,
      });
      expect(await repository.findScore('lyon', 'bob')).toMatchObject({ state: 'parked' });
      await repository.withdrawScores({ ...link, userId: null });
      expect(await repository.findScore('lyon', 'bob')).toMatchObject({ state: 'withdrawn' });
      expect(await repository.findScore('lyon', 'other')).toMatchObject({ state: 'parked' });
    });

    test('wait again when they are asked for, due now and without failures', async () => {
      const records = unsent('lyon', 'moodle', 'a');
      const others = [...unsent('lyon', 'canvas', 'b'), ...unsent('paris', 'moodle', 'a')];
      const { repository } = await openWith([...records, ...others]);
      expect(await repository.requeueScores('lyon', 'none', at(20))).toBe(0);
      expect(await repository.requeueScores('lyon', 'moodle', at(20))).toBe(3);
      expect(await repository.requeueScores('lyon', 'moodle', at(20))).toBe(0);
      const found = await Promise.all(records.map(({ id }) => repository.findScore('lyon', id)));
      const again = { state: 'waiting', dueAt: at(20), failures: 0 } as const;
      const [first, second, third, fourth, ...delivered] = records as ScoreRecord[];
      const requeued = [second, third, fourth].map((record) => ({ ...record, ...again }));
      expect(found).toEqual([first, ...requeued, ...delivered]);
      for (const record of others) expect(await repository.findScore(record.tenantId, record.id)).toEqual(record);
    });

    test('wait again once each, whoever asks', async () => {
      const parked = Array.from({ length: 20 }, (_, number) => score(`s${number}`, { state: 'parked' }));
      const { store, openAnother } = await openWith(parked);
      const counts = await race([store, await openAnother()], 4, ({ scores }) =>
        scores.requeueScores('lyon', 'moodle', at(20)),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    });
  });
}
