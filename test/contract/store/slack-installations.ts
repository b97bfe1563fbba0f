import { describe, expect, test } from 'vitest';
import type { SlackInstallationListRequest, SlackInstallationRecord } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, justBefore, tenant } from './records.ts';
import { expectPlainSearch } from './search.ts';
import { installation } from './slack-records.ts';

const everything: SlackInstallationListRequest = { scope: null, search: '', page: 0, pageSize: 100 };

export function describeSlackInstallations(open: OpenStore): void {
  const openWith = async (records: readonly SlackInstallationRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) expect(await store.slackInstallations.putInstallation(record)).toBeNull();
    return { repository: store.slackInstallations, store, openAnother };
  };

  describe('installations of the Slack app', () => {
    test('come back as they were put', async () => {
      const kept = [
        installation('T1', { name: awkwardText, enterpriseId: 'E1', scopes: ['commands', awkwardText] }),
        installation('E1', { kind: 'organisation', enterpriseId: 'E1', scopes: [] }),
        installation('t1', { tenantId: 'paris', installedBy: awkwardText }),
      ];
      const { repository } = await openWith(kept);
      for (const record of kept) expect(await repository.findInstallation(record.id)).toEqual(record);
      expect(await repository.findInstallation('T')).toBeNull();
      expect(await repository.findInstallation('e1')).toBeNull();
    });

    test('are replaced by one of the same tenant, and by none of another', async () => {
      const first = installation('T1', { enterpriseId: 'E1' });
      const { repository } = await openWith([first]);
      const again = installation('T1', { name: 'Renamed', scopes: ['commands'], installedAt: at(5) });
      expect(await repository.putInstallation(again)).toEqual(first);
      expect(await repository.putInstallation(again)).toEqual(again);
      expect(await repository.putInstallation(installation('T1', { tenantId: 'paris' }))).toBe('taken');
      expect(await repository.listInstallations(everything)).toEqual({ items: [again], total: 1 });
      expect((await repository.listInstallations({ ...everything, search: 'renamed' })).total).toBe(1);
      expect((await repository.listInstallations({ ...everything, search: 'workspace' })).total).toBe(0);
    });

    test('are all put where one tenant puts several at once, each in the place of another', async () => {
      const { store, repository, openAnother } = await openWith();
      const put = await race([store, await openAnother()], 20, ({ slackInstallations }, number) =>
        slackInstallations.putInstallation(installation('T1', { name: `${number}` })),
      );
      const [left] = (await repository.listInstallations(everything)).items;
      const names = [...put, left!].map((each) => (each as SlackInstallationRecord | null)?.name);
      expect(new Set(names)).toEqual(new Set([undefined, ...put.map((_, number) => `${number}`)]));
      expect((await repository.listInstallations(everything)).total).toBe(1);
    });

    test('belong to one of the tenants that put them at once', async () => {
      const { store, repository, openAnother } = await openWith();
      const handles = [store, await openAnother()] as const;
      for (let round = 0; round < 5; round += 1) {
        const id = `T${round}`;
        // Every handle serves both tenants.
        const tenantOf = (number: number) => (number % 4 < 2 ? 'lyon' : 'paris');
        const put = await race(handles, 12, ({ slackInstallations }, number) =>
          slackInstallations.putInstallation(installation(id, { tenantId: tenantOf(number) })),
        );
        const { tenantId } = (await repository.findInstallation(id))!;
        const isPut = put.map((before) => before !== 'taken');
        expect(isPut).toEqual(put.map((_, number) => tenantOf(number) === tenantId));
      }
    });

    test('are removed unless they were installed again since', async () => {
      const first = installation('T1', { installedAt: at(5) });
      const { repository } = await openWith([first, installation('T2')]);
      expect(await repository.removeInstallation('T1', justBefore(at(5)))).toBeNull();
      expect(await repository.findInstallation('T1')).not.toBeNull();
      expect(await repository.removeInstallation('T1', at(5))).toEqual(first);
      expect(await repository.removeInstallation('T1', at(5))).toBeNull();
      expect(await repository.removeInstallation('T1', null)).toBeNull();
      expect(await repository.findInstallation('T1')).toBeNull();
      expect(await repository.findInstallation('T2')).toEqual(installation('T2'));
      expect(await repository.removeInstallation('T2', null)).toEqual(installation('T2'));
      expect(await repository.putInstallation(installation('T2', { tenantId: 'paris' }))).toBeNull();
    });

    test('are removed by one of many', async () => {
      const { store, openAnother } = await openWith([installation('T1')]);
      const removed = await race([store, await openAnother()], 10, ({ slackInstallations }, number) =>
        slackInstallations.removeInstallation('T1', number % 4 < 2 ? null : at(0)),
      );
      expect(removed.filter((each) => each !== null)).toEqual([installation('T1')]);
    });

    test('that are put while older ones are removed stay', async () => {
      const { store, repository, openAnother } = await openWith();
      const handles = [store, await openAnother()] as const;
      for (let round = 0; round < 5; round += 1) {
        await repository.putInstallation(installation('T1'));
        const renewed = installation('T1', { installedAt: at(1) });
        await race(handles, 12, ({ slackInstallations }, number) =>
          number % 4 < 2
            ? slackInstallations.removeInstallation('T1', at(0))
            : slackInstallations.putInstallation(renewed),
        );
        expect(await repository.findInstallation('T1')).toEqual(renewed);
      }
    });

    test('are put or refused, whoever else puts and removes them at once', async () => {
      const { store, repository, openAnother } = await openWith();
      const handles = [store, await openAnother()] as const;
      const tenantOf = (number: number) => (number % 3 === 0 ? 'lyon' : 'paris');
      const outcomes = await race(handles, 90, ({ slackInstallations }, number) =>
        number % 3 === 2
          ? slackInstallations.removeInstallation('T1', null)
          : slackInstallations.putInstallation(installation('T1', { tenantId: tenantOf(number) })),
      );
      // Nobody can remove more often than somebody put it.
      const count = (isRemoval: boolean) =>
        outcomes.filter((outcome, number) =>
          number % 3 === 2 ? isRemoval && outcome !== null : !isRemoval && outcome !== 'taken',
        ).length;
      expect(count(true)).toBeGreaterThan(0);
      expect(count(false)).toBeGreaterThanOrEqual(count(true));
      expect((await repository.listInstallations(everything)).total).toBeLessThan(2);
    });

    test('are listed by name, ties in the order of the ids', async () => {
      const { repository } = await openWith([
        installation('T3', { name: 'école' }),
        installation('T2', { name: 'Ecole' }),
        installation('T1', { name: 'Zebra' }),
        installation('T4', { name: 'apple', tenantId: 'paris' }),
      ]);
      const list = (page: { page: number; pageSize: number }) =>
        repository.listInstallations({ ...everything, ...page });
      const { items, sizes, total } = await readPages(list, 3);
      expect([ids(items), sizes, total]).toEqual([['T4', 'T2', 'T3', 'T1'], [3, 1, 0], 4]);
    });

    test('are found in a scope by part of the name or of the id', async () => {
      const { repository } = await openWith([
        installation('T1', { name: 'Université' }),
        installation('T2', { name: 'Acme', tenantId: 'paris' }),
      ]);
      const found = async (search: string, scope: SlackInstallationListRequest['scope'] = null) =>
        ids((await repository.listInstallations({ ...everything, search, scope })).items).toSorted();
      expect(await found('UNIVERSITE')).toEqual(['T1']);
      expect(await found('t2')).toEqual(['T2']);
      expect(await found('acmet')).toEqual([]);
      expect(await found('', ['lyon'])).toEqual(['T1']);
      expect(await found('', ['none', 'paris'])).toEqual(['T2']);
      expect(await found('acme', ['lyon'])).toEqual([]);
      expect(await found('', [])).toEqual([]);
    });

    test('are searched for any part of the name', async () => {
      const { repository } = await openWith();
      await expectPlainSearch(
        (name, number) => repository.putInstallation(installation(`${number}`, { name })),
        async (search) => (await repository.listInstallations({ ...everything, search })).items.map(({ name }) => name),
      );
    });
  });
}
