import mongoose, { type Connection } from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { initialFeedbackSettings } from '../../../../src/domain/tenant.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { importRecord } from '../../../contract/store/import-records.ts';
import { deadLink } from '../../../contract/store/link-check-records.ts';
import { link, placement, registration } from '../../../contract/store/lti-records.ts';
import { apiKey, feedback, tenant } from '../../../contract/store/records.ts';
import { installation } from '../../../contract/store/slack-records.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

const openStore = async (uri: string): Promise<Store> => {
  const store = await createMongoStore(uri);
  onTestFinished(() => store.close());
  return store;
};

/** To look into the database past the store. */
const openDatabase = async (uri: string): Promise<Connection> => {
  const connection = await mongoose.createConnection(uri).asPromise();
  onTestFinished(() => connection.close());
  return connection;
};

/** A tenant that an administrator had time to change before another host was through with its start. */
const decided = tenant('paris', {
  feedback: { sharedEmail: null, sharedEmailFor: 'nobody', retentionDays: 9 },
});

const addedThird = ['ltiRegistrations', 'ltiDeployments', 'placements', 'ltiLinks', 'activity', 'scores'];
const addedFourth = ['slackInstallations', 'people'];
const addedFifth = ['linkChecks', 'linkMends', 'objectChanges'];

/** A database as the first version made it: two tenants, and more feedback of one person than is changed at once. */
async function makeFirstVersion(uri: string): Promise<Connection> {
  const store = await openStore(uri);
  await store.tenants.addTenant(tenant('lyon'));
  await store.tenants.addTenant(decided);
  const given = Array.from({ length: 700 }, (_, number) =>
    feedback(`${number}`, { email: number % 2 === 0 ? 'Ève@Example.org' : 'ÈVE@example.org' }),
  );
  const records = [...given, feedback('other')].map((record) => ({ key: record.id, record: { ...record } }));
  await store.transfer.writeRecords('feedback', records);
  const database = await openDatabase(uri);
  await database.collection('tenants').updateMany({ name: 'Tenant lyon' }, { $unset: { feedback: '' } });
  await database.collection('feedback').updateMany({}, { $unset: { 'derived.email': '' } });
  await database.collection('feedback').dropIndex('derived.email_1');
  await database.collection('answers').drop();
  await database.collection('shelf').drop();
  for (const name of [...addedThird, ...addedFourth, ...addedFifth]) await database.collection(name).drop();
  await database.collection('meta').updateOne({}, { $set: { migrations: 1 } });
  return database;
}

describe.skipIf(server === null)(
  `the database of the MongoDB store on ${server?.kind ?? 'no server'}`,
  () => {
    test('is made by hosts that start at once', async () => {
      const uri = server!.newUri();
      const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(uri)));
      for (const store of stores) expect((await store.describe()).migrations).toBeGreaterThan(0);
      const database = await openDatabase(uri);
      expect(await database.collection('meta').countDocuments()).toBe(1);
      await stores[0]!.apiKeys.addApiKey(apiKey('a'));
      await expect(stores[1]!.apiKeys.addApiKey(apiKey('b', { keyHash: 'hash of a' }))).rejects.toThrow();
    });

    test('finishes a first start that was cut short, and begins a later one with nothing to do', async () => {
      const uri = server!.newUri();
      await openStore(uri);
      const database = await openDatabase(uri);
      await database.collection('meta').deleteMany({});
      await database.collection('apiKeys').dropIndex('keyHash_1');
      await openStore(uri);
      expect(await indexesOf(database, 'apiKeys')).toHaveProperty('keyHash_1');
      await database.collection('apiKeys').dropIndex('keyHash_1');
      await openStore(uri);
      expect(await indexesOf(database, 'apiKeys')).not.toHaveProperty('keyHash_1');
    });

    test('of the first version gets what came since', async () => {
      const uri = server!.newUri();
      const database = await makeFirstVersion(uri);
      const stores = await Promise.all([1, 2].map(() => openStore(uri)));
      const [store] = stores as [Store, Store];
      expect((await store.describe()).migrations).toBe(16);
      expect(await store.tenants.findTenant('lyon')).toEqual(tenant('lyon'));
      expect(await store.tenants.findTenant('paris')).toEqual(decided);
      expect(await store.feedback.eraseFeedbackOf(['lyon'], 'ève@EXAMPLE.org')).toEqual([
        { tenantId: 'lyon', count: 700 },
      ]);
      expect(await store.feedback.findFeedback('other')).toEqual(feedback('other'));
      expect(await indexesOf(database, 'feedback')).toHaveProperty('derived.email_1');
      expect(await indexesOf(database, 'answers')).toHaveProperty('expiresAt_1');
      expect(await indexesOf(database, 'shelf')).toHaveProperty('tenantId_1_person_1_derived.place_1');
      for (const name of [...addedThird, ...addedFourth, ...addedFifth])
        expect(Object.keys(await indexesOf(database, name)).length, name).toBeGreaterThan(1);
    });

    test('of the second version gets what came since', async () => {
      const uri = server!.newUri();
      const database = await makeFirstVersion(uri);
      await database.collection('meta').updateOne({}, { $set: { migrations: 2 } });
      const store = await openStore(uri);
      expect((await store.describe()).migrations).toBe(16);
      expect(await store.ltiRegistrations.addRegistration(registration('a'))).toBe(true);
      const taken = registration('b', { clientId: 'client of a' });
      expect(await store.ltiRegistrations.addRegistration(taken)).toBe(false);
    });

    test('of the third version gets what the fourth one has', async () => {
      const uri = server!.newUri();
      const database = await openDatabase(uri);
      await (await openStore(uri)).tenants.addTenant(tenant('lyon'));
      for (const name of [...addedFourth, ...addedFifth]) await database.collection(name).drop();
      await database.collection('meta').updateOne({}, { $set: { migrations: 3 } });
      const store = await openStore(uri);
      expect((await store.describe()).migrations).toBe(16);
      for (const name of [...addedFourth, ...addedFifth])
        expect(Object.keys(await indexesOf(database, name)).length, name).toBeGreaterThan(1);
      expect(await store.slackInstallations.putInstallation(installation('T1'))).toBeNull();
      expect(await store.tenants.findTenant('lyon')).toEqual(tenant('lyon'));
    });

    test('of the fifth version gets links that know what their items name', async () => {
      const uri = server!.newUri();
      const { placements } = await openStore(uri);
      await placements.openLink(link('old'));
      const database = await openDatabase(uri);
      await database
        .collection('ltiLinks')
        .updateMany({}, { $unset: { chosenId: '', title: '', copiedFrom: '' } });
      await database.collection('meta').updateOne({}, { $set: { migrations: 5 } });
      await openStore(uri);
      expect(await placements.findLink('lyon', 'old')).toEqual(link('old', { chosenId: null, title: null }));
    });

    test('of a version before finds placements by the address of their objects, and knows no moves', async () => {
      const uri = server!.newUri();
      const { placements, linkChecks } = await openStore(uri);
      const records = Array.from({ length: 600 }, (_, number) => placement(`${number}`));
      await placements.addPlacements(records);
      await placements.openLink(link('a', { placementId: '599' }));
      await linkChecks.saveLinkChecks([deadLink('https://a.example/1')]);
      const database = await openDatabase(uri);
      await database.collection('placements').updateMany({}, { $unset: { derived: '' } });
      const unknown = { movedTo: '', etag: '', lastModified: '' };
      await database.collection('linkChecks').updateMany({}, { $unset: unknown });
      await database.collection('meta').updateOne({}, { $set: { migrations: 7 } });
      await openStore(uri);
      expect(await placements.countPlacedLinks(null, ['https://example.org/599'])).toMatchObject([
        { links: 1 },
      ]);
      expect(await placements.findPlacement('lyon', '0')).toEqual(records[0]);
      expect(await linkChecks.findLinkChecks(['https://a.example/1'])).toEqual([
        deadLink('https://a.example/1'),
      ]);
    });

    test('of a version before has imports whose remarks are of rows that were not used', async () => {
      const uri = server!.newUri();
      const { imports } = await openStore(uri);
      const { number: _, ...record } = importRecord('old');
      await imports.addImport(record);
      await imports.addImport({ ...record, id: 'well', rejected: [] });
      const database = await openDatabase(uri);
      const since = { changes: '', comparedWith: '', origin: '', rhythm: '' };
      const unset = { ...since, 'counts.warned': '', 'rejected.0.isUsed': '' };
      await database.collection('imports').updateOne({ title: record.title, number: 1 }, { $unset: unset });
      await database.collection('imports').updateOne({ number: 2 }, { $unset: since });
      await database.collection('meta').updateOne({}, { $set: { migrations: 10 } });
      await openStore(uri);
      const counts = { ...record.counts, warned: 0 };
      const nothing = { counts, changes: [], comparedWith: 0, origin: null, rhythm: null };
      expect(await imports.findImport('old')).toEqual({ ...record, number: 1, ...nothing });
      expect(await imports.findImport('well')).toMatchObject({ ...nothing, rejected: [] });
    });

    test('makes up for what a host of the first version writes beside this one', async () => {
      const uri = server!.newUri();
      const store = await openStore(uri);
      await store.tenants.addTenant(decided);
      await store.feedback.saveFeedback(feedback('late', { tenantId: 'paris', email: 'Ève@Example.org' }));
      const database = await openDatabase(uri);
      await database.collection('tenants').updateMany({}, { $unset: { feedback: '' } });
      await database.collection('feedback').updateMany({}, { $unset: { 'derived.email': '' } });
      const { feedback: settings } = (await store.tenants.findTenant('paris'))!;
      expect(settings).toEqual(initialFeedbackSettings);
      const changed = { ...decided, feedback: settings, version: decided.version + 1 };
      expect(await store.tenants.replaceTenant(changed)).toBe(true);
      expect(await store.tenants.findTenant('paris')).toEqual(changed);
      await openStore(uri);
      expect(await database.collection('feedback').findOne({})).toMatchObject({
        derived: { email: 'ève@example.org' },
      });
    });

    test.each([
      [
        'that asks for hosts that know it',
        (newer: number) => ({ $set: { migrations: newer, enough: newer } }),
      ],
      [
        'as they were made once',
        (newer: number) => ({ $set: { migrations: newer }, $unset: { enough: '' } }),
      ],
    ])('refuses a database of a newer version %s, and leaves it as it is', async (_which, change) => {
      const uri = server!.newUri();
      const { migrations } = await (await openStore(uri)).describe();
      const meta = (await openDatabase(uri)).collection('meta');
      await meta.updateOne({}, change(migrations + 1));
      await expect(createMongoStore(uri)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('newer version of Skilldock'),
      });
      expect(await meta.findOne()).toMatchObject({ migrations: migrations + 1 });
    });

    test('is shared with hosts of a newer version that asks for no more than this one knows', async () => {
      const uri = server!.newUri();
      const running = await openStore(uri);
      const { migrations } = await running.describe();
      const database = await openDatabase(uri);
      const meta = database.collection('meta');
      // As a newer host leaves it: another collection, and a field of its own in a record.
      await meta.updateOne({}, { $set: { migrations: migrations + 1, enough: migrations } });
      await database.collection('later').insertOne({ _id: 'a' as never });
      await running.tenants.addTenant(tenant('lyon'));
      await database.collection('tenants').updateOne({}, { $set: { later: 'unknown here' } });
      const restarted = await openStore(uri);
      for (const store of [running, restarted])
        expect(await store.tenants.findTenant('lyon')).toEqual(tenant('lyon'));
      expect(await meta.findOne()).toMatchObject({ migrations: migrations + 1, enough: migrations });
      expect(await database.collection('later').countDocuments()).toBe(1);
    });

    test('has the indexes that uniqueness, expiry and every order of a list rest on', async () => {
      const uri = server!.newUri();
      await openStore(uri);
      const database = await openDatabase(uri);
      for (const name of ['adminLinks', 'adminSessions', 'rateWindows', 'nonces']) {
        const { expiresAt_1: expiry } = await indexesOf(database, name);
        expect(expiry, name).toMatchObject({ expireAfterSeconds: 86_400 });
      }
      const { expiresAt_1: ofAnswers } = await indexesOf(database, 'answers');
      expect(ofAnswers).toMatchObject({ expireAfterSeconds: 0 });
      const ofShelf = await indexesOf(database, 'shelf');
      expect(ofShelf['tenantId_1_person_1_derived.place_1']).toMatchObject({ unique: true });
      expect(ofShelf).toHaveProperty('tenantId_1_person_1_savedAt_-1__id_1');
      expect((await indexesOf(database, 'apiKeys')).keyHash_1).toMatchObject({ unique: true });
      const ofAdmins = await indexesOf(database, 'admins');
      expect(ofAdmins['derived.name_1']).toMatchObject({ unique: true });
      expect(ofAdmins['derived.account_1']).toMatchObject({ unique: true });
      expect(ofAdmins).toHaveProperty('derived.neverSignedIn_1_lastSignInAt_-1__id_1');
      const ofRegistrations = await indexesOf(database, 'ltiRegistrations');
      expect(ofRegistrations.issuer_1_clientId_1).toMatchObject({ unique: true });
      expect(ofRegistrations).toHaveProperty('derived.name_-1__id_1');
      const others = [
        ['ltiDeployments', 'registrationId_1_firstSeenAt_-1__id_1'],
        ['placements', 'tenantId_1_registrationId_1_contextId_1_placedAt_-1__id_1'],
        ['placements', 'tenantId_1_placedAt_-1__id_1'],
        ['ltiLinks', 'tenantId_1'],
        ['ltiLinks', 'tenantId_1_registrationId_1_contextId_1_chosenId_1__id_1'],
        ['ltiLinks', 'tenantId_1_registrationId_1_resourceLinkId_1'],
        ['activity', 'tenantId_1_linkId_1_lastOpenedAt_-1__id_1'],
        ['scores', 'state_1_registrationId_1_dueAt_1__id_1'],
        ['scores', 'tenantId_1_registrationId_1_state_1'],
        ['scores', 'tenantId_1_linkId_1_state_1'],
        ['slackInstallations', 'tenantId_1'],
        ['slackInstallations', 'derived.name_1__id_1'],
        ['people', 'tenantId_1_person_1'],
        ['people', 'tenantId_1_shelfPerson_1_person_1'],
        ['linkChecks', 'state_1_since_1__id_1'],
        ['linkChecks', 'state_1__id_1'],
        ['linkMends', 'url_1_madeAt_-1__id_1'],
        ['linkMends', 'tenantId_1_derived.byUrl_1_madeAt_-1__id_1'],
        ['objectChanges', 'tenantId_1__id_1'],
        ['objectChanges', 'tenantId_1_version_1_changedAt_1'],
        ['placements', 'derived.url_1_tenantId_1'],
        ['ltiLinks', 'tenantId_1_placementId_1'],
      ] as const;
      for (const [name, index] of others)
        expect(Object.keys(await indexesOf(database, name)), name).toContain(index);
      const ofFeedback = await indexesOf(database, 'feedback');
      expect(ofFeedback).toHaveProperty('receivedAt_-1__id_1');
      expect(ofFeedback).toHaveProperty('receivedAt_1__id_1');
      expect(ofFeedback).toHaveProperty('state_1_dueAt_1__id_1');
      expect(ofFeedback).toHaveProperty('derived.email_1');
    });
  },
);

async function indexesOf(database: Connection, name: string): Promise<Record<string, object>> {
  const indexes = await database.collection(name).indexes();
  return Object.fromEntries(indexes.map((index) => [index.name, index]));
}
