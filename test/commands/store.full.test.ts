import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../src/adapters/store/mongo/mongo-store.ts';
import { createSqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts';
import { type Store, storeCollections } from '../../src/ports/store/store.ts';
import { FILLED, fillStore } from '../helpers/fill-store.ts';
import { runProgram, startHostProcess } from '../helpers/host-process.ts';
import { startMongoServer } from '../helpers/mongo-server.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

const contentOf = ({ transfer }: Store) =>
  Promise.all(storeCollections.map((collection) => transfer.readRecords(collection, null, 1_000)));

async function withStore<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

describe('store copy', () => {
  const copy = (from: string, to: string) => runProgram(['store', 'copy', '--from', from, '--to', to]);

  async function makeSource(): Promise<string> {
    const file = join(makeTempDir(), 'skilldock.db');
    await withStore(createSqliteStore(file), fillStore);
    return file;
  }

  test('prints what was copied with checksums, and that the secret key goes along', async () => {
    const [source, target] = [await makeSource(), join(makeTempDir(), 'other.db')];
    const { code, stdout, stderr } = await copy(`sqlite:${source}`, `sqlite:${target}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const collection of storeCollections) {
      const row = new RegExp(`^${collection} +${FILLED[collection]} +${FILLED[collection]} +[0-9a-f]{16}$`, 'm');
      expect(stdout).toMatch(row);
    }
    expect(stdout).toMatch(/SECRET_KEY/);
    const [wanted, found] = [createSqliteStore(source), createSqliteStore(target)];
    expect(await contentOf(found)).toEqual(await contentOf(wanted));
    await Promise.all([wanted.close(), found.close()]);
  });

  test('of a store that holds nothing says so, as its name may be misspelt', async () => {
    const [source, target] = [join(makeTempDir(), 'empty.db'), join(makeTempDir(), 'other.db')];
    await createSqliteStore(source).close();
    const { code, stdout } = await copy(`sqlite:${source}`, `sqlite:${target}`);
    expect(code).toBe(0);
    expect(stdout).toContain('There was nothing to copy.');
    expect(stdout).not.toContain('have the same content');
  });

  test.runIf(mongo !== null)('moves everything to MongoDB and back, whatever it is', async () => {
    const [source, uri] = [await makeSource(), mongo!.newUri()];
    const there = await copy(`sqlite:${source}`, uri);
    expect(there).toMatchObject({ code: 0, stderr: '' });
    const wanted = await withStore(createSqliteStore(source), contentOf);
    expect(await withStore(await createMongoStore(uri), contentOf)).toEqual(wanted);
    const again = await copy(`sqlite:${source}`, uri);
    expect(again.stdout).toMatch(/^feedback +1000 +0 /m);
    const target = join(makeTempDir(), 'back.db');
    const back = await copy(uri, `sqlite:${target}`);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    expect(await withStore(createSqliteStore(target), contentOf)).toEqual(wanted);
  });

  test('into a store that is in use is 3 and says what to do', async () => {
    const [source, dataDir] = [await makeSource(), makeTempDir()];
    await runProgram(['tenants', 'create', 'Another'], { DATA_DIR: dataDir });
    const { code, stdout, stderr } = await copy(`sqlite:${source}`, `sqlite:${join(dataDir, 'skilldock.db')}`);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/empty store; nothing was written/);
  });

  test('a store that is not there is not made, and an address is not repeated', async () => {
    const missing = join(makeTempDir(), 'none.db');
    const { code, stderr } = await copy(`sqlite:${missing}`, `sqlite:${join(makeTempDir(), 'b.db')}`);
    expect(code).toBe(3);
    expect(stderr).toContain(missing);
    expect(existsSync(missing)).toBe(false);
    const odd = await copy('mongo://user:password@host', `sqlite:${missing}`);
    expect(odd.code).toBe(2);
    expect(odd.stderr).not.toContain('password');
  });
});

describe('backup and restore', () => {
  test('while the host is running: what was there comes back, and the host goes on with it', async () => {
    const host = await startHostProcess();
    try {
      const env = { DATA_DIR: host.dataDir };
      const before = await host.createKey();
      const file = join(makeTempDir(), 'backup.db');
      const made = await runProgram(['backup', file], env);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const checked = await runProgram(['backup', 'check', file], {});
      expect(checked).toMatchObject({ code: 0, stderr: '' });
      expect(checked.stdout).toMatch(/^apiKeys +1$/m);
      const after = await host.createKey();
      const statusOf = async (key: string) =>
        (await fetch(`${host.url}/domcomp/v1/suggest?keywords=a`, { headers: { 'x-api-key': key } })).status;
      expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
      const restored = await runProgram(['restore', file], env);
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      expect(restored.stdout).toMatch(/^apiKeys +1$/m);
      const kept = /is in (\S+)\.\n/.exec(restored.stdout)?.[1];
      expect(existsSync(kept!)).toBe(true);
      await expect.poll(async () => [await statusOf(before), await statusOf(after)]).toEqual([200, 403]);
      const trail = await withStore(createSqliteStore(join(host.dataDir, 'skilldock.db')), ({ audit }) =>
        audit.readAuditEntries(
          { scope: null, action: 'store.restored', period: { from: null, until: null }, search: '' },
          null,
          10,
        ),
      );
      expect(trail).toMatchObject([{ actor: { kind: 'command', address: null }, target: file }]);
    } finally {
      await host.stop();
    }
  });

  test('does not overwrite a file, nor read one that is no backup', async () => {
    const env = { DATA_DIR: makeTempDir() };
    await runProgram(['tenants', 'list'], env);
    const file = join(makeTempDir(), 'precious');
    writeFileSync(file, 'precious');
    expect(await runProgram(['backup', file], env)).toMatchObject({ code: 3, stdout: '' });
    expect(await runProgram(['restore', file], env)).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  test.each([
    ['backup', 'mongodump'],
    ['restore', 'mongorestore'],
  ])('%s of a store in MongoDB is the matter of %s', async (command, tool) => {
    const env = { MONGODB_URI: 'mongodb://localhost/x', SECRET_KEY: 'k'.repeat(32), DATA_DIR: makeTempDir() };
    const { code, stderr } = await runProgram([command, 'file'], env);
    expect(code).toBe(2);
    expect(stderr).toContain(tool);
  });
});
