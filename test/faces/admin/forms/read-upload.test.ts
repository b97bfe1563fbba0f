import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createUploads } from '../../../../src/adapters/files/uploads.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { type AdminOptions, type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const PATH = '/imports/new';
const fields = { format: 'objects', address: '', langs: '', name: '' };
/** More than comes in one piece. */
const large = { name: 'large.csv', content: 'url,title\n'.padEnd(3 * 1024 ** 2, 'x') };

async function start(uploads?: NonNullable<AdminOptions['deps']>['uploads']) {
  const admin = await startAdmin(uploads === undefined ? {} : { deps: { uploads } });
  onTestFinished(() => admin.close());
  return { admin, owner: await admin.signInAs('owner') };
}

const uploadsOf = ({ deps }: RunningAdmin) => {
  const folder = join(deps.system.dataDir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('a large file with another token than ours: it is refused, and the host goes on', async () => {
  const { admin, owner } = await start();
  for (const csrf of ['another', null]) {
    expect((await owner.postFile(PATH, fields, large, { csrf })).status).toBe(403);
    const unnamed = { ...large, name: '' };
    expect((await owner.postFile(PATH, fields, unnamed, { csrf })).status).toBe(403);
  }
  expect((await owner.get(PATH)).status).toBe(200);
  expect(uploadsOf(admin)).toEqual([]);
});

test('a folder that cannot be written: it is said, and the host goes on', async () => {
  const file = join(makeTempDir(), 'file');
  writeFileSync(file, '');
  const { owner } = await start(createUploads({ folder: join(file, 'uploads') }));
  expect((await owner.postFile(PATH, fields, large)).status).toBe(503);
  expect((await owner.get(PATH)).status).toBe(200);
});

test('a file that is too large is refused while it comes, with another way, and nothing of it stays', async () => {
  const folder = join(makeTempDir(), 'uploads');
  const { admin, owner } = await start(createUploads({ folder, maxBytes: 1024 ** 2 }));
  const french = await admin.signInAs('owner', null, { language: 'fr' });
  for (const [browser, limit] of [
    [owner, 'larger than 1 MB'],
    [french, 'dépasse 1 Mo'],
  ] as const) {
    const answer = await browser.postFile(PATH, fields, large);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toMatch(new RegExp(`${limit}.*skilldock import`));
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a sender who goes away in the middle leaves nothing behind', async () => {
  const { admin, owner } = await start();
  const socket = await beginUpload(admin, owner);
  await expect.poll(() => uploadsOf(admin)).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => uploadsOf(admin)).toEqual([]);
  expect((await owner.get(PATH)).status).toBe(200);
});

/** Sends the form up to the middle of its file. */
async function beginUpload(admin: RunningAdmin, owner: SignedInBrowser): Promise<Socket> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
  const body =
    field('name="csrf"', await owner.findCsrf()) + field('name="file"; filename="a.csv"', 'x'.repeat(100_000));
  const { hostname, port } = new URL(admin.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST /admin${PATH} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nContent-Length: 9000000\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\n\r\n${body.slice(0, -10)}`,
  );
  return socket;
}
