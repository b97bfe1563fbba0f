import { describe, expect, test } from 'vitest';
import { type Store, type StoreCollection, storeCollections } from '../../../src/ports/store/store.ts';
import type { OpenStore } from './opened-store.ts';
import { at, auditEntry, awkwardText, feedback, tenant } from './records.ts';
import { addSamples, addShortLivedSamples, sampleKeys, samples } from './samples.ts';

const expected = (collection: StoreCollection) =>
  sampleKeys[collection].map((key, number) => ({ key, record: samples[collection][number] }));

async function copy(source: Store, target: Store, limit: number): Promise<void> {
  for (const collection of storeCollections) {
    let after: string | null = null;
    for (;;) {
      const records = await source.transfer.readRecords(collection, after, limit);
      if (records.length === 0) break;
      await target.transfer.writeRecords(collection, records);
      after = records.at(-1)!.key;
    }
  }
}

export function describeTransfer(open: OpenStore): void {
  describe('copying', () => {
    test('reads the records of every collection as their repositories give them', async () => {
      const { store } = await open();
      await addSamples(store);
      for (const collection of storeCollections) {
        expect(await store.transfer.readRecords(collection, null, 1_000), collection).toEqual(expected(collection));
      }
    });

    test('reads on after any key, so many as are asked for', async () => {
      const { store } = await open();
      await addSamples(store);
      for (const collection of storeCollections) {
        const [first, second, third] = expected(collection);
        const read = (after: string | null, limit: number) => store.transfer.readRecords(collection, after, limit);
        expect(await read(null, 1), collection).toEqual([first]);
        expect(await read(first!.key, 1), collection).toEqual([second]);
        expect(await read(first!.key, 10), collection).toEqual([second, third]);
        expect(await read(third!.key, 10), collection).toEqual([]);
      }
    });

    test('reads in the order of the bytes of the keys', async () => {
      const { store } = await open();
      await store.tenants.addTenant(tenant('lyon'));
      // U+FF21 comes before U+1F40D in UTF-8, and after it in UTF-16.
      const ordered = ['A', 'B', 'a', 'é', '\uff21', '🐍'];
      for (const id of ordered.toReversed()) await store.audit.addAuditEntry(auditEntry(id));
      const keys = async (after: string | null) =>
        (await store.transfer.readRecords('audit', after, 10)).map(({ key }) => key);
      expect(await keys(null)).toEqual(ordered);
      expect(await keys('\uff21')).toEqual(['🐍']);
      expect(await keys('b')).toEqual(ordered.slice(3));
    });

    test('into another store gives the same records, page by page and over again', async () => {
      const [{ store: source }, { store: target }] = [await open(), await open()];
      await addSamples(source);
      await copy(source, target, 2);
      await copy(source, target, 1_000);
      for (const collection of storeCollections) {
        expect(await target.transfer.readRecords(collection, null, 1_000), collection).toEqual(expected(collection));
      }
    });

    test('goes over a store that has records of every kind', async () => {
      const { store } = await open();
      await addSamples(store);
      await addShortLivedSamples(store, 'paris');
      await copy(store, store, 2);
      for (const collection of storeCollections) {
        expect(await store.transfer.readRecords(collection, null, 1_000), collection).toEqual(expected(collection));
      }
      await store.tenants.removeTenant('paris');
      expect(await store.tenants.findTenant('paris')).toBeNull();
    });

    test('gives records that can be found and searched like any others', async () => {
      const [{ store: source }, { store: target }] = [await open(), await open()];
      await addSamples(source);
      await copy(source, target, 1_000);
      expect(await target.apiKeys.findApiKeyByHash('hash of a')).toEqual(samples.apiKeys[0]);
      expect(await target.admins.findAdminByName('EVE')).toEqual(samples.admins[0]);
      const whole = { page: 0, pageSize: 10, search: 'paris', descending: false } as const;
      expect((await target.tenants.listTenants({ ...whole, scope: null, sort: 'name' })).items).toEqual([
        samples.tenants[2],
      ]);
      const { issuer, clientId } = samples.ltiRegistrations[0];
      expect(await target.ltiRegistrations.findRegistrationOfClient(issuer, clientId)).toEqual(
        samples.ltiRegistrations[0],
      );
      expect(await target.ltiRegistrations.addDeployment(samples.ltiDeployments[1])).toBe(false);
      expect(await target.activity.noteCompleted(samples.activity[1], at(9))).toBe(false);
      expect(await target.slackInstallations.findInstallation('T1')).toEqual(samples.slackInstallations[1]);
      const found = await target.slackInstallations.listInstallations({
        ...whole,
        scope: null,
        search: 't2',
      });
      expect(found.items).toEqual([samples.slackInstallations[2]]);
      expect(await target.people.findPerson(samples.people[0])).toEqual(samples.people[0]);
      expect(await target.people.listPeopleOfShelf('lyon', awkwardText, 9)).toEqual([
        samples.people[0],
        samples.people[1],
      ]);
      expect(await target.people.savePerson({ ...samples.people[1], version: 2 })).toBe(true);
      expect(await target.adminSessions.listAdminSessions('ada', at(2))).toHaveLength(3);
      expect(await target.usage.sumUsage(['lyon-2'], '2026-01-01', '2026-01-01')).toEqual([
        { day: '2026-01-01', metric: 'searches', count: 3 },
      ]);
    });

    test('replaces records with the same keys and leaves the others', async () => {
      const { store } = await open();
      await addSamples(store);
      const changed = tenant('lyon', { name: 'Changed', status: 'disabled', version: 7 });
      await store.transfer.writeRecords('tenants', [{ key: 'lyon', record: { ...changed } }]);
      expect(await store.tenants.findTenant('lyon')).toEqual(changed);
      // Nothing of the tenant goes because its record is replaced.
      expect(await store.feedback.findFeedback('b')).toEqual(samples.feedback[1]);
      expect(await store.secrets.findSecret('lyon', 'b')).toEqual(samples.secrets[0]);
      const renamed = { ...samples.ltiRegistrations[0], name: 'Renamed' };
      await store.transfer.writeRecords('ltiRegistrations', [{ key: 'a', record: renamed }]);
      expect(await store.ltiRegistrations.findRegistration('a')).toEqual(renamed);
      expect(await store.ltiRegistrations.findDeployment('a', '1')).toEqual(samples.ltiDeployments[0]);
      const [count] = expected('usage');
      await store.transfer.writeRecords('usage', [{ key: count!.key, record: { ...samples.usage[0], count: 8 } }]);
      expect((await store.usage.sumUsage(['lyon'], '2026-03-01', '2026-03-01'))[0]!.count).toBe(8);
      const both = ['b', 'z'].map((id) => ({ key: id, record: { ...feedback(id, { comment: 'new' }) } }));
      await store.transfer.writeRecords('feedback', both);
      expect(await store.transfer.readRecords('feedback', 'a', 10)).toEqual([
        both[0],
        expected('feedback')[2],
        both[1],
      ]);
      await store.transfer.writeRecords('feedback', []);
    });
  });
}
