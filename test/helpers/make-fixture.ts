// Makes test/fixtures/<version>, what hosts of this version store: `npm run fixture`, before each
// release. test/upgrade.test.ts opens it with every later version.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import mongoose from 'mongoose';
import { openStoreAt } from '../../src/compose/open-store.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { type Store, storeCollections } from '../../src/ports/store/store.ts';
import { createKeyring } from '../../src/services/host/keyring.ts';
import { createSecrets } from '../../src/services/host/secrets.ts';
import { copyStore } from '../../src/services/host/store-copy.ts';
import { addSamples, addShortLivedSamples, samples } from '../contract/store/samples.ts';
import { startOwnMongo } from './mongo-server.ts';

const SECRET_KEY = 'a secret key that opens nothing but this fixture';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = join('test/fixtures', version);
const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-fixture-'));
const database = join(dataDir, 'skilldock.db');
mkdirSync(folder, { recursive: true });

const embedded = await openStoreAt(`sqlite:${database}`, { mustExist: false });
await fill(embedded);
writeLines('records.jsonl', await readEveryRecord(embedded));
writeLines('mongodb.jsonl', await dumpCopy(embedded));
// Closing moves everything from the journal into the file.
await embedded.close();
writeGzip('skilldock.db', readFileSync(database));
writeFileSync(join(folder, 'secret.key'), SECRET_KEY);
rmSync(dataDir, { recursive: true });

function writeGzip(name: string, content: Buffer | string): void {
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}

/** Dates are `{"$date": …}`, as in `mongoexport`. */
function writeLines(name: string, values: readonly unknown[]): void {
  writeGzip(name, values.map((value) => `${mongoose.mongo.BSON.EJSON.stringify(value)}\n`).join(''));
}

/** A sealed secret takes the place of each sample, which no key opens. */
async function fill(store: Store): Promise<void> {
  await addSamples(store);
  await addShortLivedSamples(store, 'lyon');
  const keyring = createKeyring([SECRET_KEY]);
  const secrets = createSecrets({ secrets: store.secrets, keyring, clock: systemClock });
  for (const { tenantId, name, boundTo } of samples.secrets) {
    await store.secrets.removeSecret(tenantId, name);
    await secrets.putSecret(tenantId, 'upstream-api-key', { plain: `upstream key of ${tenantId}`, boundTo });
  }
}

async function readEveryRecord({ transfer }: Store) {
  const all = storeCollections.map(async (collection) =>
    (await transfer.readRecords(collection, null, 1_000)).map((record) => ({ collection, ...record })),
  );
  return (await Promise.all(all)).flat();
}

/** The collections of a database with the same records. */
async function dumpCopy(source: Store) {
  const server = await startOwnMongo();
  const uri = `${server.address}/fixture`;
  const target = await openStoreAt(uri, { mustExist: false });
  await copyStore({ source: source.transfer, target: target.transfer, now: new Date(0) });
  await addShortLivedSamples(target, 'lyon');
  await target.close();
  const connection = await mongoose.createConnection(uri).asPromise();
  const names = (await connection.listCollections()).map(({ name }) => name).toSorted();
  const collections = names.map(async (name) => ({
    name,
    documents: await connection.collection(name).find().sort({ _id: 1 }).toArray(),
    indexes: await connection.collection(name).indexes(),
  }));
  const dump = await Promise.all(collections);
  await connection.close();
  await server.stop();
  return dump;
}
