import mongoose, { type Connection } from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openMongoConnection } from '../../../../src/adapters/store/mongo/connection.ts';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { bringUpToDate } from '../../../../src/adapters/store/mongo/schema.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { apiKey, feedback, tenant } from '../../../contract/store/records.ts';
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

describe.skipIf(server === null)(`the database of the MongoDB store on ${server?.kind ?? 'no server'}`, () => {
  test('is created by hosts that start at once', async () => {
    const uri = server!.newUri();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(uri)));
    for (const store of stores) expect((await store.describe()).schemaVersion).toBeGreaterThan(0);
    const database = await openDatabase(uri);
    expect(await database.collection('meta').countDocuments()).toBe(1);
    await stores[0]!.apiKeys.addApiKey(apiKey('a'));
    await expect(stores[1]!.apiKeys.addApiKey(apiKey('b', { keyHash: 'hash of a' }))).rejects.toThrow();
  });

  test('finishes an interrupted first start', async () => {
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

  test('adds initial and derived values to existing documents', async () => {
    const uri = server!.newUri();
    const { tenants, transfer } = await openStore(uri);
    await tenants.addTenant(tenant('lyon'));
    // More than are changed at once.
    const given = Array.from({ length: 700 }, (_, number) =>
      feedback(`${number}`, { email: number % 2 === 0 ? 'Ève@Example.org' : 'ÈVE@example.org' }),
    );
    const records = given.map((record) => ({ key: record.id, record: { ...record } }));
    await transfer.writeRecords('feedback', records);
    const database = await openDatabase(uri);
    await database
      .collection('tenants')
      .updateMany({}, { $unset: { hasAssistants: '', suggestions: '', 'derived.search': '' } });
    await database.collection('feedback').updateMany({}, { $unset: { 'derived.email': '' } });
    await database.collection('feedback').dropIndex('derived.email_1');
    const { connection } = await openMongoConnection(uri);
    onTestFinished(() => connection.close());
    // By two hosts at once.
    await Promise.all([1, 2].map(() => bringUpToDate(connection, { isNew: false })));
    const store = await openStore(uri);
    expect(await store.tenants.findTenant('lyon')).toEqual(
      tenant('lyon', { hasAssistants: true, suggestions: 'approval' }),
    );
    const list = { scope: null, sort: 'name', descending: false, page: 0, pageSize: 9 } as const;
    expect((await store.tenants.listTenants({ ...list, search: 'LYON' })).total).toBe(1);
    expect(await store.personal.removePersonal('feedback', { 'derived.email': 'ève@example.org' })).toBe(700);
    expect(await indexesOf(database, 'feedback')).toHaveProperty('derived.email_1');
  });

  test('refuses a database of an unreleased version, and does not change it', async () => {
    const uri = server!.newUri();
    const meta = (await openDatabase(uri)).collection('meta');
    await meta.insertOne({ _id: 'schema' as never, migrations: 16, enough: 15 });
    await expect(createMongoStore(uri)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('never released'),
    });
    expect(await meta.findOne()).toMatchObject({ migrations: 16 });
  });

  test.each([
    ['that asks for hosts that know it', (newer: number) => ({ $set: { migrations: newer, enough: newer } })],
    ['as they were made once', (newer: number) => ({ $set: { migrations: newer }, $unset: { enough: '' } })],
  ])('refuses a database of a newer version %s, and leaves it as it is', async (_which, change) => {
    const uri = server!.newUri();
    const { schemaVersion: migrations } = await (await openStore(uri)).describe();
    const meta = (await openDatabase(uri)).collection('meta');
    await meta.updateOne({}, change(migrations + 1));
    await expect(createMongoStore(uri)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('newer version of Skilldock'),
    });
    expect(await meta.findOne()).toMatchObject({ migrations: migrations + 1 });
  });

  test('is shared with hosts of a newer compatible version', async () => {
    const uri = server!.newUri();
    const running = await openStore(uri);
    const { schemaVersion: migrations } = await running.describe();
    const database = await openDatabase(uri);
    const meta = database.collection('meta');
    // As a newer host leaves it: another collection, and a field of its own in a record.
    await meta.updateOne({}, { $set: { migrations: migrations + 1, enough: migrations } });
    await database.collection('later').insertOne({ _id: 'a' as never });
    await running.tenants.addTenant(tenant('lyon'));
    await database.collection('tenants').updateOne({}, { $set: { later: 'unknown here' } });
    const restarted = await openStore(uri);
    for (const store of [running, restarted]) expect(await store.tenants.findTenant('lyon')).toEqual(tenant('lyon'));
    expect(await meta.findOne()).toMatchObject({ migrations: migrations + 1, enough: migrations });
    expect(await database.collection('later').countDocuments()).toBe(1);
  });

  test('has the indexes for uniqueness, expiry and every order of a list', async () => {
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
    expect(ofAdmins).toHaveProperty('derived.no_lastSignInAt_1_lastSignInAt_-1__id_1');
    const ofRegistrations = await indexesOf(database, 'ltiRegistrations');
    expect(ofRegistrations.issuer_1_clientId_1).toMatchObject({ unique: true });
    expect(ofRegistrations).toHaveProperty('derived.name_-1__id_1');
    const others = [
      ['ltiDeployments', 'registrationId_1_firstSeenAt_-1__id_1'],
      ['placements', 'tenantId_1_registrationId_1_contextId_1_placedAt_-1__id_1'],
      ['placements', 'tenantId_1_placedAt_-1__id_1_person_1'],
      ['ltiLinks', 'tenantId_1_registrationId_1_contextId_1_chosenId_1__id_1'],
      ['ltiLinks', 'tenantId_1_registrationId_1_resourceLinkId_1'],
      ['activity', 'tenantId_1_linkId_1_lastOpenedAt_-1__id_1'],
      ['scores', 'state_1_registrationId_1_dueAt_1__id_1_leasedUntil_1'],
      ['scores', 'tenantId_1_registrationId_1_state_1'],
      ['scores', 'tenantId_1_linkId_1_state_1'],
      ['slackInstallations', 'tenantId_1'],
      ['slackInstallations', 'derived.name_1__id_1'],
      ['people', 'tenantId_1_person_1'],
      ['people', 'tenantId_1_shelfPerson_1__id_1'],
      ['linkChecks', 'state_1_since_1__id_1'],
      ['linkChecks', 'state_1__id_1'],
      ['linkMends', 'url_1_madeAt_-1__id_1'],
      ['linkMends', 'tenantId_1_derived.byUrl_1_madeAt_-1__id_1'],
      ['objectChanges', 'tenantId_1__id_1'],
      ['objectChanges', 'tenantId_1_version_1_changedAt_1'],
      ['placements', 'derived.url_1_tenantId_1'],
      ['ltiLinks', 'tenantId_1_placementId_1'],
    ] as const;
    for (const [name, index] of others) expect(Object.keys(await indexesOf(database, name)), name).toContain(index);
    const ofFeedback = await indexesOf(database, 'feedback');
    expect(ofFeedback).toHaveProperty('receivedAt_-1__id_1');
    expect(ofFeedback).toHaveProperty('receivedAt_1__id_1');
    expect(ofFeedback).toHaveProperty('state_1_dueAt_1__id_1');
    expect(ofFeedback).toHaveProperty('derived.email_1');
  });
});

async function indexesOf(database: Connection, name: string): Promise<Record<string, object>> {
  const indexes = await database.collection(name).indexes();
  return Object.fromEntries(indexes.map((index) => [index.name, index]));
}
