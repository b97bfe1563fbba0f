import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBackup } from '../../../../src/adapters/store/sqlite/backup.ts';
import { createBackupFolder } from '../../../../src/adapters/store/sqlite/backup-folder.ts';
import { tenant } from '../../../contract/store/records.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { newPath, openStore } from './databases.ts';

const first = new Date('2026-11-28T03:00:00.000Z');
const second = new Date('2026-11-29T03:00:01.000Z');
const never = new AbortController().signal;

async function open() {
  const path = newPath();
  const store = openStore(path);
  await store.tenants.addTenant(tenant('lyon'));
  const folder = makeTempDir();
  return { store, folder, backups: createBackupFolder(folder, path), path };
}

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name !== 'backups.lock');

test('writes a checked file that only its owner can read, and lists the newest first', async () => {
  const { folder, backups, store } = await open();
  // Left by a process that was killed.
  mkdirSync(join(folder, '.skilldock-backup-old'));
  writeFileSync(join(folder, 'notes.txt'), '');
  await backups.write(first, never);
  await store.tenants.addTenant(tenant('paris'));
  await backups.write(second, never);
  const names = ['skilldock-2026-11-29T03-00-01.db', 'skilldock-2026-11-28T03-00-00.db'];
  expect(await backups.list()).toEqual([
    { name: names[0], at: second, bytes: statSync(join(folder, names[0]!)).size },
    { name: names[1], at: first, bytes: statSync(join(folder, names[1]!)).size },
  ]);
  expect(statSync(join(folder, names[0]!)).mode & 0o777).toBe(0o600);
  expect(names.map((name) => checkBackup(join(folder, name), second).tenants)).toEqual([2, 1]);
  await backups.remove(names[1]!);
  expect(filesIn(folder).sort()).toEqual(['notes.txt', names[0]]);
  expect(await backups.findProgress()).toBeNull();
});

test('says where it is while it writes, and leaves nothing when it is ended', async () => {
  const { folder, backups } = await open();
  const stopping = new AbortController();
  const writing = backups.write(first, stopping.signal);
  await expect.poll(() => backups.findProgress()).toBeGreaterThanOrEqual(0);
  stopping.abort();
  await expect(writing).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(filesIn(folder)).toEqual([]);
});

test('says why it fails, and leaves the backups before as they are', async () => {
  const { folder, backups, path } = await open();
  await backups.write(first, never);
  const before = await backups.list();
  writeFileSync(path, 'no database any more '.repeat(10_000));
  await expect(backups.write(second, never)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(await backups.list()).toEqual(before);
  expect(filesIn(folder)).toHaveLength(1);
  const missing = createBackupFolder(join(folder, 'missing'), path);
  for (const attempt of [() => missing.list(), () => missing.write(second, never)])
    await expect(attempt()).rejects.toThrow(/Check that its folder is there/);
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

test('is used by one host only, until that host ends', async () => {
  const { folder, backups } = await open();
  await backups.write(first, never);
  const other = createBackupFolder(folder, newPath());
  for (const attempt of [() => other.list(), () => other.write(second, never)])
    await expect(attempt()).rejects.toThrow(/another host writes its backups there/);
  backups.release();
  const next = await open();
  const successor = createBackupFolder(folder, next.path);
  await successor.write(second, never);
  successor.release();
});
