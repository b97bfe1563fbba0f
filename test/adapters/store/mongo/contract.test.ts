import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
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
  // One database, as making the indexes of each anew would take most of the time.
  const uri = server?.newUri() ?? '';
  let connection: Connection;
  beforeAll(async () => {
    await (await createMongoStore(uri)).close();
    connection = await mongoose.createConnection(uri).asPromise();
    if (server!.kind === 'given') await keepExpired(connection);
  });
  afterAll(() => connection.close());

  describeStoreContract('the MongoDB store', async () => {
    await emptyCollections(connection);
    const store = await createMongoStore(uri);
    return { store, openAnother: () => createMongoStore(uri), close: () => store.close() };
  });
});

/** All but the number of the migrations. */
async function emptyCollections(connection: Connection): Promise<void> {
  const names = (await connection.listCollections()).map(({ name }) => name);
  const emptied = names.filter((name) => name !== 'meta');
  await Promise.all(emptied.map((name) => connection.collection(name).deleteMany({})));
}

/** The suite has dates of its own, long past by now: a server that tidies up would take its records away. */
async function keepExpired(connection: Connection): Promise<void> {
  for (const name of ['adminLinks', 'adminSessions', 'nonces', 'rateWindows', 'answers']) {
    await connection.collection(name).dropIndex('expiresAt_1');
  }
}
