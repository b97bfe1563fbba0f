import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import mongoose from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openData } from '../src/compose/open-data.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/ports/clock.ts';
import { SCHEMA_VERSION, type StoreCollection, type TransferRecord } from '../src/ports/store/store.ts';
import { createKeyring } from '../src/services/host/keyring.ts';
import { createSecrets } from '../src/services/host/secrets.ts';
import { startMongoServer } from './helpers/mongo-server.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

const { EJSON } = mongoose.mongo.BSON;

// test/helpers/make-fixture.ts makes them.
describe.each(readdirSync('test/fixtures'))('what version %s stored', (version) => {
  const folder = join('test/fixtures', version);
  const readGzip = (name: string) => gunzipSync(readFileSync(join(folder, `${name}.gz`)));
  const readLines = <T>(name: string): readonly T[] =>
    `${readGzip(name)}`
      .trimEnd()
      .split('\n')
      .map((line) => EJSON.parse(line) as T);

  async function checkData(settings: Readonly<Record<string, string>>): Promise<void> {
    const { store, secretKeys, close } = await openData({
      config: readConfig(settings),
      clock: systemClock,
      allowLostSecrets: false,
      isBeside: false,
      onProblem: expect.unreachable,
    });
    onTestFinished(close);
    expect((await store.describe()).schemaVersion).toBe(SCHEMA_VERSION);
    const stored = readLines<TransferRecord & { readonly collection: StoreCollection }>('records.jsonl');
    for (const collection of new Set(stored.map((record) => record.collection))) {
      const expected = stored
        .filter((record) => record.collection === collection)
        .map(({ key, record }) => ({ key, record }));
      // Later versions may have more fields.
      expect(await store.transfer.readRecords(collection, null, 1_000), collection).toMatchObject(expected);
    }
    expect((await store.files.listFiles('')).map(({ id }) => id)).toEqual(['a']);
    const keyring = createKeyring(secretKeys.read());
    const secrets = createSecrets({ secrets: store.secrets, keyring, clock: systemClock });
    expect(await secrets.findSecret('lyon', 'upstream-api-key', 'https://api.example.org')).toBe(
      'upstream key of lyon',
    );
  }

  test('is all there in an embedded store', async () => {
    const dataDir = makeTempDir();
    writeFileSync(join(dataDir, 'skilldock.db'), readGzip('skilldock.db'));
    copyFileSync(join(folder, 'secret.key'), join(dataDir, 'secret.key'));
    await checkData({ DATA_DIR: dataDir });
  });

  test.runIf(mongo !== null)('is all there in MongoDB', async () => {
    const uri = mongo!.newUri();
    const connection = await mongoose.createConnection(uri).asPromise();
    onTestFinished(() => connection.close());
    for (const { name, documents, indexes } of readLines<Dumped>('mongodb.jsonl')) {
      const collection = connection.collection<{ _id: string }>(name);
      if (documents.length > 0) await collection.insertMany([...documents]);
      await collection.createIndexes([...indexes]);
    }
    const secretKey = readFileSync(join(folder, 'secret.key'), 'utf8');
    await checkData({ DATA_DIR: makeTempDir(), MONGODB_URI: uri, SECRET_KEY: secretKey });
  });
});

interface Dumped {
  readonly name: string;
  readonly documents: readonly { readonly _id: string }[];
  readonly indexes: readonly { readonly key: Readonly<Record<string, 1 | -1>>; readonly name: string }[];
}
