import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { ThreadLimits } from '../../src/compose/import-sources.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import { createAdminBrowser } from '../faces/admin/admin-browser.ts';
import { draw } from '../helpers/draw.ts';
import { startHostProcess } from '../helpers/host-process.ts';
import { busySite, type Hostile, hostiles } from './hostile-files.ts';
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

/** Of one sitemap: nearly the 16 MiB that are read of one. */
const BUSY = 16_000_000;

test('a thread that needs too much memory is ended, and says for what', async () => {
  const nested: Hostile = {
    ...busySite,
    content: (size) => ({
      '/': '<urlset><url><loc>ORIGIN/nested?key=secret</loc></url></urlset>',
      '/nested?': `<script type="application/ld+json">${'['.repeat(size / 2)}${']'.repeat(size / 2)}</script>`,
    }),
  };
  const limits = { memoryMb: 64, patienceMs: 60_000 };
  await expect(readInThread(nested, 1_000, limits)).resolves.toHaveLength(1);
  await expect(readInThread(nested, 5_000_000, limits)).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringMatching(/^http:.*\/nested\?key=… takes more than 64 MB of memory to read/),
  });
});

test('a thread that one thing keeps busy is ended, and says which', async () => {
  await expect(readInThread(busySite, BUSY, { memoryMb: 1_024, patienceMs: 400 })).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringMatching(/^http:.*\/packed\?… kept its reader busy for 0\.4 s/),
  });
});

test('what one page has comes in slices, however much it is', async () => {
  const entries = 130_000;
  const feed: Hostile = {
    name: 'a feed of many entries',
    format: 'feed',
    content: () => ({
      '/': `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[${Array.from({ length: entries }, (_, n) => `{"url":"?${n}","title":"a"}`).join()}]}`,
    }),
    ends: { objects: entries },
  };
  const items = await readInThread(feed, 0);
  const sizes = items.map(({ parts, rejected }) => Math.max(parts.length, rejected.length));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
  expect(items.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'object')).toHaveLength(entries);
  expect(items.filter(({ position }) => position !== null)).toHaveLength(1);
});

test('whoever gives up need not wait for the thread', async () => {
  const { request, close } = await placeHostile(busySite, BUSY);
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
  const { request, close } = await placeHostile(busySite, BUSY);
  onTestFinished(close);
  const fields = { format: request.format, address: request.location, langs: '', name: '' };
  const begun = await owner.postFile('/catalogue/imports/new', fields, null);
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
