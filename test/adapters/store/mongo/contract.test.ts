import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { describeStoreContract } from '../../../contract/store/index.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';
import { skipBecause } from '../../../helpers/skips.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

/** What mongo-java-server does otherwise than MongoDB: its texts are Java's, and so is their order. */
const ordersAsUtf16 = [
  'reads in the order of the bytes of the keys',
  'are read in the order of the bytes of their keys',
];

beforeEach(({ task, skip }) => {
  if (server?.kind !== 'mongo-java-server' || !ordersAsUtf16.includes(task.name)) return;
  skipBecause('mongo-java-server orders keys as UTF-16', 'Set MONGODB_TEST_URI, or put mongod on the PATH.');
  skip();
});

describe.skipIf(server === null)(`on ${server?.kind ?? 'no server'}`, () => {
  // One database and one connection, as making the indexes and models of each anew would take most of the time.
  const uri = server?.newUri() ?? '';
  let connection: Connection;
  let shared: Store | null = null;
  /** Collections that were used since they were emptied. */
  const used = new Set<string>();
  beforeAll(async () => {
    await (await createMongoStore(uri)).close();
    connection = await mongoose.createConnection(uri).asPromise();
    if (server!.kind === 'given') await keepExpired(connection);
    mongoose.set('debug', (name: string) => used.add(name));
  });
  afterAll(async () => {
    mongoose.set('debug', false);
    await shared?.close();
    await connection.close();
  });

  describeStoreContract('the MongoDB store', async () => {
    const names = [...used].filter((name) => name !== 'meta');
    await Promise.all(names.map((name) => connection.collection(name).deleteMany({})));
    used.clear();
    shared ??= await createMongoStore(uri);
    const store = shared;
    return {
      store: {
        ...store,
        close() {
          shared = null;
          return store.close();
        },
      },
      openAnother: () => createMongoStore(uri),
      close: async () => undefined,
    };
  });
});

/** The suite has dates of its own, long past by now: a server that tidies up would take its records away. */
async function keepExpired(connection: Connection): Promise<void> {
  for (const name of ['adminLinks', 'adminSessions', 'nonces', 'rateWindows', 'answers']) {
    await connection.collection(name).dropIndex('expiresAt_1');
  }
}
