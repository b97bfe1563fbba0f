import { describe, expect, test } from 'vitest';
import type { PlanSection } from '../../../src/domain/plan.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { PlanRecord } from '../../../src/ports/store/store.ts';
import { createKeyring } from '../../../src/services/host/keyring.ts';
import { createPersonSessions } from '../../../src/services/people/person-sessions.ts';
import { createSavedStates } from '../../../src/services/people/saved-states.ts';
import { type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, longText, shelved, tenant } from './records.ts';

const item = (id: string): PlanSection['items'][number] => ({
  id,
  object: { ...shelved(id).object, description: longText, price: { free: true } },
  requestId: null,
  skill: awkwardText,
  note: awkwardText,
  isGraded: true,
  replaced: ['example.org/é'],
});

const sections: readonly PlanSection[] = [
  { id: 's1', title: awkwardText, text: longText, hours: 1.5, items: [item('b'), item('a')], uncovered: [awkwardText] },
  { id: 's0', title: '', text: '', hours: null, items: [], uncovered: [] },
];

export const plan = (id: string, changes: Partial<PlanRecord> = {}): PlanRecord => ({
  id,
  tenantId: 'lyon',
  person: 'lti:moodle:ada',
  name: awkwardText,
  expectedHours: 30,
  lang: 'fr',
  sections,
  shareToken: null,
  createdAt: at(0),
  changedAt: at(0),
  version: 1,
  ...changes,
});

const ada = { tenantId: 'lyon', person: 'lti:moodle:ada' };
const whole = { page: 0, pageSize: 100 };

export function describePlans(open: OpenStore): void {
  const openWith = async (records: readonly PlanRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) expect(await store.plans.savePlan(record)).toBe(true);
    return { repository: store.plans, store, openAnother };
  };

  test('a browser knows its person only while the tenant is active', async () => {
    const { store } = await openWith();
    const savedStates = createSavedStates({ nonces: store.nonces, clock: systemClock });
    const keyring = createKeyring(['a secret of the tests, long enough']);
    const sessions = createPersonSessions({ savedStates, keyring, tenants: store.tenants, clock: systemClock });
    const token = await sessions.begin(ada);
    expect(await sessions.find(token)).toEqual(ada);
    for (const status of ['disabled', 'active', 'deleting'] as const) {
      const before = (await store.tenants.findTenant('lyon'))!;
      expect(await store.tenants.replaceTenant({ ...before, status, version: before.version + 1 })).toBe(true);
      expect(await sessions.find(token)).toEqual(status === 'active' ? ada : null);
    }
  });

  describe('plans', () => {
    test('come back as they were saved, with everything in order, each of its tenant', async () => {
      const saved = [plan('a'), plan(awkwardText, { expectedHours: null, lang: null, sections: [] })];
      const { repository } = await openWith(saved);
      for (const record of saved) expect(await repository.findPlan('lyon', record.id)).toEqual(record);
      expect(await repository.findPlan('paris', 'a')).toBeNull();
      expect(await repository.findPlan('lyon', 'A')).toBeNull();
    });

    test('of several people are listed together, the last changed first, ties by id', async () => {
      const saved = [
        plan('c', { changedAt: at(3) }),
        plan('a', { changedAt: at(1), person: 'slack:T1:U1' }),
        plan('b', { changedAt: at(1) }),
      ];
      const others = [plan('x', { person: 'bob' }), plan('y', { tenantId: 'paris' })];
      const { repository } = await openWith([...others, ...saved.toReversed()]);
      const people = [ada.person, 'slack:T1:U1'];
      const read = await readPages((page) => repository.listPlans('lyon', people, page), 2);
      expect([read.items, read.total]).toEqual([saved, 3]);
      expect((await repository.listPlans('lyon', ['nobody'], whole)).total).toBe(0);
      expect([await repository.countPlans(ada), await repository.countPlans({ ...ada, tenantId: 'paris' })]).toEqual([
        2, 1,
      ]);
    });

    test('are replaced by the next version only, and by one of many', async () => {
      const { store, repository, openAnother } = await openWith([plan('a')]);
      expect(await repository.savePlan(plan('a', { name: 'again' }))).toBe(false);
      expect(await repository.savePlan(plan('a', { version: 3 }))).toBe(false);
      expect(await repository.savePlan(plan('a', { version: 2, tenantId: 'paris' }))).toBe(false);
      expect(await repository.findPlan('lyon', 'a')).toEqual(plan('a'));
      const handles = [store, await openAnother()] as const;
      const saved = await race(handles, 10, ({ plans }, number) =>
        plans.savePlan(plan('a', { name: `${number}`, version: 2 })),
      );
      expect(saved.filter((isSaved) => isSaved)).toHaveLength(1);
      expect((await repository.findPlan('lyon', 'a'))?.name).toBe(`${saved.indexOf(true)}`);
    });

    test('are found by the token of their link while they have it', async () => {
      const { repository } = await openWith([plan('a', { shareToken: 'T' }), plan('b'), plan('c')]);
      expect((await repository.findSharedPlan('T'))?.id).toBe('a');
      expect(await repository.findSharedPlan('t')).toBeNull();
      await repository.savePlan(plan('a', { version: 2 }));
      expect(await repository.findSharedPlan('T')).toBeNull();
    });

    test('are removed one by one, by person, and with everyone whose name begins in a way', async () => {
      const saved = [
        plan('a'),
        plan('b'),
        plan('c', { person: 'slack:T1:U1' }),
        plan('d', { person: 'slack:T1:U2' }),
        plan('e', { person: 'slack:T10:U1' }),
        plan('f', { tenantId: 'paris', person: 'slack:T1:U1' }),
      ];
      const { repository } = await openWith(saved);
      expect([await repository.removePlan('paris', 'a'), await repository.removePlan('lyon', 'a')]).toEqual([
        false,
        true,
      ]);
      expect(await repository.removePlansOf('lyon', 'slack:T1:')).toBe(2);
      const left = await Promise.all(saved.map(({ tenantId, id }) => repository.findPlan(tenantId, id)));
      expect(left.map((record) => record?.id ?? null)).toEqual([null, 'b', null, null, 'e', 'f']);
    });
  });
}
