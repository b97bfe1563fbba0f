import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { ThreadLimits } from '../../src/compose/import-sources.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import { writeZip } from '../adapters/catalog/write-zip.ts';
import { createAdminBrowser } from '../faces/admin/admin-browser.ts';
import { draw } from '../helpers/draw.ts';
import { startHostProcess } from '../helpers/host-process.ts';
import { type Hostile, hostiles } from './hostile-files.ts';
import { placeHostile, readAllItems } from './read-hostile.ts';

// Threads start from files that Node can run: those of the build.
const built = pathToFileURL(resolve('dist/src/compose/import-sources.js')).href;
const { createThreadedSources } = (await import(
  built
)) as typeof import('../../src/compose/import-sources.ts');

const outbound = {
  allowLoopback: true,
  privateAccess: noPrivateAccess,
  allowHttp: true,
  version: '1',
};
const packed = hostiles.find(({ name }) => name.startsWith('a packed sitemap'))!;

const refused = hostiles.filter(({ ends }) => !('objects' in ends));

async function readInThread(hostile: Hostile, size: number, limits?: ThreadLimits) {
  const { request, close } = await placeHostile(hostile, size);
  onTestFinished(close);
  return readAllItems(createThreadedSources(outbound, limits), request);
}

test.each(draw(refused, 'hostile files in threads', 5))(
  '$name ends in a thread as in the process',
  async (hostile) => {
    const outcome = await readInThread(hostile, 100_000).catch((error: unknown) => error);
    if ('refused' in hostile.ends)
      expect(outcome).toMatchObject({
        code: 'IMPORT_INVALID',
        message: expect.stringMatching(hostile.ends.refused),
      });
    else expect(outcome).toMatchObject([{ rejected: [{}] }, { parts: [{}, {}] }]);
  },
);

test('a thread that needs too much memory is ended, and says for what', async () => {
  const reading = readInThread(packed, 160_000, { memoryMb: 8, patienceMs: 20_000 });
  await expect(reading).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringMatching(/^http:.*\/entry takes more than 8 MB of memory to read/),
  });
});

test('a thread that one thing keeps busy is ended, and says which', async () => {
  const reading = readInThread(packed, 160_000, { memoryMb: 1_024, patienceMs: 100 });
  await expect(reading).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringMatching(/^http:.*\/entry kept its reader busy for 0\.1 s/),
  });
});

test('whoever gives up need not wait for the thread', async () => {
  const { request, close } = await placeHostile(packed, 160_000);
  onTestFinished(close);
  const source = await createThreadedSources(outbound).open(request);
  const stop = new AbortController();
  const items = source.read({ after: null, signal: stop.signal })[Symbol.asyncIterator]();
  const first = items.next();
  stop.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
});

test('a host answers and ends while an import reads what does not end', { timeout: 120_000 }, async () => {
  const password = 'four words about nothing';
  const host = await startHostProcess({ ADMIN_PASSWORD: password });
  const owner = createAdminBrowser(host.url);
  await owner.post('/sign-in', { name: 'admin', password });
  const blank = writeZip({ 'blank.csv': `url,title\n${'\n'.repeat(400_000_000)}` });
  const fields = { format: 'objects', address: '', langs: '', name: '' };
  const begun = await owner.postFile('/catalogue/imports/new', fields, {
    name: 'blank.zip',
    content: new Uint8Array(blank),
  });
  expect(begun.status).toBe(303);
  const { pathname } = new URL(begun.headers.get('location')!, host.url);
  for (let asked = 0; asked < 100; asked++) {
    const found = await fetch(`${host.url}/?q=python${asked}`);
    expect(found.status).toBe(200);
    await found.text();
  }
  expect(await owner.page(pathname.slice('/admin'.length))).toContain('data-import-text');
  expect(await host.stop()).toBe(0);
});
