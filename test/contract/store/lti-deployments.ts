import { describe, expect, test } from 'vitest';
import type { LtiDeploymentRecord } from '../../../src/ports/store/store.ts';
import { deployment, registration } from './lti-records.ts';
import { type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, tenant } from './records.ts';

export function describeLtiDeployments(open: OpenStore): void {
  const openWith = async (records: readonly LtiDeploymentRecord[] = []) => {
    const { store, openAnother } = await open();
    await store.tenants.addTenant(tenant('lyon'));
    for (const id of ['a', 'a b', 'c']) await store.ltiRegistrations.addRegistration(registration(id));
    for (const record of records) expect(await store.ltiRegistrations.addDeployment(record)).toBe(true);
    return { repository: store.ltiRegistrations, store, openAnother };
  };

  describe('deployments of a registration', () => {
    test('are of this registration alone, and stay as they were first', async () => {
      // Which of the blanks ends the registration's id makes all the difference.
      const kept = [deployment('a', 'b 1'), deployment('a b', '1'), deployment('c', awkwardText)];
      const { repository } = await openWith(kept);
      for (const record of kept) {
        const { registrationId, deploymentId } = record;
        expect(await repository.addDeployment({ ...record, firstSeenAt: at(9) })).toBe(false);
        expect(await repository.findDeployment(registrationId, deploymentId)).toEqual(record);
      }
      expect(await repository.findDeployment('a', '1')).toBeNull();
      expect(await repository.findDeployment('a', 'B 1')).toBeNull();
    });

    test('are added by one of many', async () => {
      const { store, repository, openAnother } = await openWith();
      const added = await race([store, await openAnother()], 10, ({ ltiRegistrations }, number) =>
        ltiRegistrations.addDeployment(deployment('a', '1', { firstSeenAt: at(number) })),
      );
      expect(added.filter((done) => done)).toHaveLength(1);
      expect((await repository.findDeployment('a', '1'))!.firstSeenAt).toEqual(at(added.indexOf(true)));
    });

    test('are refused where there is no such registration, also where it is removed at once', async () => {
      const { store, repository, openAnother } = await openWith();
      expect(await repository.addDeployment(deployment('none', '1'))).toBe(false);
      await race([store, await openAnother()], 12, ({ ltiRegistrations }, number) =>
        number === 5
          ? ltiRegistrations.removeRegistration('a')
          : ltiRegistrations.addDeployment(deployment('a', `${number}`)),
      );
      expect(await store.transfer.readRecords('ltiDeployments', null, 20)).toEqual([]);
    });

    test('are listed newest first, ties in the order of their ids', async () => {
      const kept = [
        deployment('a', 'new', { firstSeenAt: at(2) }),
        deployment('a', 'B', { firstSeenAt: at(1) }),
        deployment('a', 'a', { firstSeenAt: at(1) }),
        deployment('a', 'old', { firstSeenAt: at(0) }),
      ];
      const { repository } = await openWith([deployment('c', 'other'), ...kept.toReversed()]);
      const { items, sizes, total } = await readPages((page) => repository.listDeployments('a', page), 3);
      expect([items, sizes, total]).toEqual([kept, [3, 1, 0], 4]);
      const none = { items: [], total: 0 };
      expect(await repository.listDeployments('none', { page: 0, pageSize: 10 })).toEqual(none);
    });

    test('are removed one by one', async () => {
      const { repository } = await openWith([deployment('a', '1'), deployment('a', '2')]);
      expect(await repository.removeDeployment('a', '1')).toBe(true);
      expect(await repository.removeDeployment('a', '1')).toBe(false);
      expect(await repository.removeDeployment('c', '2')).toBe(false);
      expect(await repository.findDeployment('a', '1')).toBeNull();
      expect(await repository.findDeployment('a', '2')).toEqual(deployment('a', '2'));
    });

    test('go with their registration, and do not come back with another one of its id', async () => {
      const kept = [deployment('a', '1'), deployment('a', '2'), deployment('a b', '1')];
      const { repository } = await openWith(kept);
      await repository.removeRegistration('a');
      await repository.addRegistration(registration('a'));
      expect(await repository.findDeployment('a', '1')).toBeNull();
      expect((await repository.listDeployments('a', { page: 0, pageSize: 10 })).total).toBe(0);
      expect(await repository.findDeployment('a b', '1')).toEqual(kept[2]);
    });
  });
}
