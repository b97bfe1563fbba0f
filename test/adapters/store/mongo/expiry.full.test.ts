import mongoose from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { adminLink, adminSession, answer } from '../../../contract/store/records.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';
import { skipBecause } from '../../../helpers/skips.ts';

// One of its own, as others would not like it to tidy up.
const server = await startMongoServer({ isOwn: true });
afterAll(() => server?.stop());
const isReal = server !== null && server.kind !== 'mongo-java-server';
if (server !== null && !isReal) {
  skipBecause('mongo-java-server does not expire documents', 'Set MONGODB_TEST_URI, or put mongod on the PATH.');
  // Where every test is skipped, nothing is run after them.
  await server.stop();
}

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

describe.skipIf(!isReal)(`a server that expires documents (${server?.kind ?? 'no server'})`, () => {
  // A server looks every minute; ours every second.
  test('removes records that expired more than a day ago, in the background', async () => {
    const uri = server!.newUri();
    const store = await createMongoStore(uri);
    onTestFinished(() => store.close());
    const connection = await mongoose.createConnection(uri).asPromise();
    onTestFinished(() => connection.close());
    for (const [id, expiresAt] of [
      ['long ago', daysFromNow(-1.1)],
      ['just now', daysFromNow(-0.1)],
      ['not yet', daysFromNow(1)],
    ] as const) {
      await store.adminLinks.addAdminLink(adminLink(id, { expiresAt }));
      await store.adminSessions.addAdminSession(adminSession(id, { expiresAt }));
      await store.nonces.addNonce(id, 'data', expiresAt);
      await store.rateCounters.addRatePoints(id, 1, { now: daysFromNow(-2), expiresAt });
      await store.answers.keepAnswer(id, answer('{}', { expiresAt }));
    }
    await startTidying(connection);
    const expectKept = async (name: string, ids: readonly string[]) => {
      const kept = async () => (await connection.collection<{ _id: string }>(name).distinct('_id')).toSorted();
      await expect.poll(kept, { interval: 500 }).toEqual(ids);
    };
    for (const name of ['adminLinks', 'adminSessions', 'nonces', 'rateWindows']) {
      await expectKept(name, ['just now', 'not yet']);
    }
    // They may be lost at any time, and are large.
    await expectKept('answers', ['not yet']);
  });
});

/** Ours waits to be told, so that it leaves other tests alone. */
async function startTidying(connection: mongoose.Connection): Promise<void> {
  if (server?.kind !== 'mongod') return;
  await connection.db!.admin().command({ setParameter: 1, ttlMonitorEnabled: true });
}
