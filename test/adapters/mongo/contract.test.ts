import mongoose from 'mongoose';
import { afterAll, beforeEach, describe } from 'vitest';
import { createMongoStore } from '../../../src/adapters/mongo/mongo-store.ts';
import { describeStoreContract } from '../../contract/store/index.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { skipBecause } from '../../helpers/skips.ts';

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
  describeStoreContract('the MongoDB store', async () => {
    const uri = server!.newUri();
    const store = await createMongoStore(uri);
    if (server!.kind === 'given') await keepExpired(uri);
    return { store, openAnother: () => createMongoStore(uri), close: () => store.close() };
  });
});

/** The suite has dates of its own, long past by now: a server that tidies up would take its records away. */
async function keepExpired(uri: string): Promise<void> {
  const connection = await mongoose.createConnection(uri).asPromise();
  for (const name of ['adminLinks', 'adminSessions', 'nonces', 'rateWindows', 'answers']) {
    await connection.collection(name).dropIndex('expiresAt_1');
  }
  await connection.close();
}
