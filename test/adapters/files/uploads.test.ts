import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUploads } from '../../../src/adapters/files/uploads.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const open = (maxBytes?: number) => {
  const folder = join(makeTempDir(), 'uploads');
  return { folder, uploads: createUploads({ folder, ...(maxBytes !== undefined && { maxBytes }) }) };
};

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test('stores a file unchanged, for this user alone, under a generated name', async () => {
  const { folder, uploads } = open();
  const upload = await uploads.receive('../../etc/Cours d’été.CSV', pieces('url,title\n', 'https://a.example,A\n'));
  expect(readFileSync(upload.path, 'utf8')).toBe('url,title\nhttps://a.example,A\n');
  expect(upload).toMatchObject({ name: 'Cours d’été.CSV', bytes: 30 });
  expect(dirname(upload.path)).toBe(folder);
  expect(upload.path).toMatch(/\/[\da-f-]{36}\.csv$/);
  expect(statSync(upload.path).mode & 0o077).toBe(0);
  await uploads.remove(upload);
  expect(readdirSync(folder)).toEqual([]);
  await uploads.remove(upload);
});

test('leaves out odd endings and folders of other systems from the name', async () => {
  const { uploads } = open();
  const upload = await uploads.receive('C:\\data\\list.c;sv', pieces('x'));
  expect(upload.name).toBe('list.c;sv');
  expect(upload.path).toMatch(/[\da-f-]{36}$/);
});

test('removes a file that is too large', async () => {
  const { folder, uploads } = open(5);
  await expect(uploads.receive('a.csv', pieces('123', '456'))).rejects.toMatchObject({
    code: 'UPLOAD_TOO_LARGE',
  });
  expect(readdirSync(folder)).toEqual([]);
  expect((await uploads.receive('a.csv', pieces('123', '45'))).bytes).toBe(5);
});

test('removes a file that breaks off', async () => {
  const { folder, uploads } = open();
  async function* broken() {
    yield Buffer.from('123');
    throw new Error('the sender is gone');
  }
  await expect(uploads.receive('a.csv', broken())).rejects.toThrow('the sender is gone');
  expect(readdirSync(folder)).toEqual([]);
});

test('names a folder that cannot be written', async () => {
  const file = join(makeTempDir(), 'file');
  writeFileSync(file, '');
  const uploads = createUploads({ folder: join(file, 'uploads') });
  await expect(uploads.receive('a.csv', pieces('1'))).rejects.toMatchObject({ code: 'DATA_DIR_UNWRITABLE' });
});

describe('a file of a killed host', () => {
  /** Files of a host that is gone, one of them two days old, and one of a host that runs. */
  async function leave() {
    const { folder, uploads } = open();
    const gone = createUploads({ folder });
    const [old, young] = [await gone.receive('a.csv', pieces('1')), await gone.receive('b.csv', pieces('2'))];
    const own = await uploads.receive('c.csv', pieces('3'));
    const dayBeforeYesterday = Date.now() / 1000 - 2 * 86_400;
    for (const { path } of [old, own]) utimesSync(path, dayBeforeYesterday, dayBeforeYesterday);
    const left = () => [old, young, own].map(({ path }) => existsSync(path));
    return { uploads, left };
  }

  test('is removed by a host that is alone in the folder', async () => {
    const { uploads, left } = await leave();
    await uploads.removeLeftovers({ isAlone: true });
    expect(left()).toEqual([false, false, true]);
  });

  test('is removed after a day where another host may be reading it', async () => {
    const { uploads, left } = await leave();
    await uploads.removeLeftovers({ isAlone: false });
    expect(left()).toEqual([false, true, true]);
  });

  test('is looked for once a day', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { uploads, left } = await leave();
    uploads.start();
    vi.advanceTimersByTime(86_400_000 - 1);
    expect(left()).toEqual([true, true, true]);
    vi.advanceTimersByTime(1);
    await expect.poll(left).toEqual([false, true, true]);
    await uploads.close();
  });

  test('may be a folder that is not there', async () => {
    await open().uploads.removeLeftovers({ isAlone: true });
  });
});
