import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDir } from '../../src/adapters/files/data-dir.ts';
import type { FileLock } from '../../src/adapters/store/sqlite/file-lock.ts';
import { lockDataDir, openData } from '../../src/compose/open-data.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const embedded = readConfig({});
const onMongo = readConfig({ MONGODB_URI: 'mongodb://localhost/x', SECRET_KEY: 'x'.repeat(32) });

function openFolder() {
  const dataDir = openDataDir(makeTempDir());
  const lock = (config = embedded): FileLock => {
    const held = lockDataDir(config, dataDir);
    onTestFinished(() => held.release());
    return held;
  };
  return { dataDir, lock };
}

const inUse = (path: string) =>
  expect.objectContaining({
    code: 'DATA_DIR_IN_USE',
    message: expect.stringMatching(new RegExp(`${path}.*DATA_DIR.*MONGODB_URI`)),
  });

test('a data folder of an embedded store has one host at a time', () => {
  const { dataDir, lock } = openFolder();
  const first = lock();
  expect(first.isAlone).toBe(true);
  first.share();
  expect(() => lock()).toThrow(inUse(dataDir.path));
  first.release();
  const second = lock();
  // The one that was refused, or is gone, takes nothing from it.
  first.release();
  expect(() => lock()).toThrow(inUse(dataDir.path));
  second.release();
  lock();
});

test('hosts on MongoDB share one, and the first of them knows that it is alone', () => {
  const { lock } = openFolder();
  const first = lock(onMongo);
  first.share();
  const second = lock(onMongo);
  second.share();
  expect([first, second].map(({ isAlone }) => isAlone)).toEqual([true, false]);
  first.release();
  expect(lock(onMongo).isAlone).toBe(false);
});

test('the first of hosts on MongoDB has it for itself until it shares it', () => {
  const { dataDir, lock } = openFolder();
  lock(onMongo);
  expect(() => lock(onMongo)).toThrow(inUse(dataDir.path));
});

test('of processes that start at once exactly one gets it, and it is free again when that one is killed', async () => {
  const { dataDir, lock } = openFolder();
  // As a host holds it: with the driver, in a transaction.
  const holding = `
    const database = new (require('libsql'))(${JSON.stringify(dataDir.file('host.lock'))});
    try { database.exec('BEGIN EXCLUSIVE'); } catch { process.exit(3); }
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000);`;
  const run = promisify(execFile);
  const ends = await Promise.all(
    [1, 2, 3].map(() =>
      run(process.execPath, ['-e', holding]).then(
        () => 'ended',
        ({ code, signal }) => signal ?? code,
      ),
    ),
  );
  expect(ends.toSorted()).toEqual([3, 3, 'SIGKILL']);
  lock();
});

test('a folder where no file can be locked is said', () => {
  const { dataDir, lock } = openFolder();
  mkdirSync(dataDir.file('host.lock'));
  expect(() => lock()).toThrow(expect.objectContaining({ code: 'DATA_DIR_UNWRITABLE' }));
});

test('a host removes the vectors that earlier versions stored', async () => {
  const { dataDir } = openFolder();
  mkdirSync(dataDir.file('vectors'));
  const problems: unknown[] = [];
  const data = await openData({
    config: readConfig({ DATA_DIR: dataDir.path }),
    clock: systemClock,
    allowLostSecrets: false,
    isBeside: false,
    onProblem: (error) => problems.push(error),
  });
  onTestFinished(() => data.close());
  expect(existsSync(dataDir.file('vectors'))).toBe(false);
  expect(existsSync(dataDir.file('secret.key'))).toBe(true);
  expect(problems).toEqual([]);
});
