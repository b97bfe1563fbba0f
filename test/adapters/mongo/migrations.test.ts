import mongoose, { type Connection } from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../src/adapters/mongo/mongo-store.ts';
import type { Store } from '../../../src/ports/store.ts';
import { apiKey } from '../../contract/store/records.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';

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

    test('refuses a database of a newer version, and leaves it as it is', async () => {
      const uri = server!.newUri();
      const { migrations } = await (await openStore(uri)).describe();
      const meta = (await openDatabase(uri)).collection('meta');
      await meta.updateOne({}, { $set: { migrations: migrations + 1 } });
      await expect(createMongoStore(uri)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('newer version of Skilldock'),
      });
      expect(await meta.findOne()).toMatchObject({ migrations: migrations + 1 });
    });

    test('has the indexes that uniqueness, expiry and every order of a list rest on', async () => {
      const uri = server!.newUri();
      await openStore(uri);
      const database = await openDatabase(uri);
      for (const name of ['adminLinks', 'adminSessions', 'rateWindows', 'nonces']) {
        const { expiresAt_1: expiry } = await indexesOf(database, name);
        expect(expiry, name).toMatchObject({ expireAfterSeconds: 86_400 });
      }
      expect((await indexesOf(database, 'apiKeys')).keyHash_1).toMatchObject({ unique: true });
      const ofAdmins = await indexesOf(database, 'admins');
      expect(ofAdmins['derived.name_1']).toMatchObject({ unique: true });
      expect(ofAdmins['derived.account_1']).toMatchObject({ unique: true });
      expect(ofAdmins).toHaveProperty('derived.neverSignedIn_1_lastSignInAt_-1__id_1');
      const ofFeedback = await indexesOf(database, 'feedback');
      expect(ofFeedback).toHaveProperty('receivedAt_-1__id_1');
      expect(ofFeedback).toHaveProperty('receivedAt_1__id_1');
      expect(ofFeedback).toHaveProperty('state_1_dueAt_1__id_1');
    });
  },
);

async function indexesOf(database: Connection, name: string): Promise<Record<string, object>> {
  const indexes = await database.collection(name).indexes();
  return Object.fromEntries(indexes.map((index) => [index.name, index]));
}
