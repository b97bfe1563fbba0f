import { appendFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createIsolatedSources, type ReaderLimits } from '../../src/compose/import-sources.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import { BUSY, busySite, type Hostile, hostiles } from './hostile-files.ts';
import { placeHostile, readAllItems } from './read-hostile.ts';

const outbound = {
  allowLoopback: true,
  privateAccess: noPrivateAccess,
  allowHttp: true,
  version: '1',
};

async function readIsolated(hostile: Hostile, size: number, limits?: ReaderLimits) {
  const { request, close } = await placeHostile(hostile, size);
  onTestFinished(close);
  return readAllItems(createIsolatedSources(outbound, limits), request);
}

test('a process that needs too much memory is ended, and says for what', async () => {
  const nested: Hostile = {
    ...busySite,
    content: (size) => ({
      '/': '<urlset><url><loc>ORIGIN/nested?key=secret</loc></url></urlset>',
      '/nested?': `<script type="application/ld+json">${'['.repeat(size / 2)}${']'.repeat(size / 2)}</script>`,
    }),
  };
  const limits = { memoryMb: 64, maxSilenceMs: 60_000 };
  await expect(readIsolated(nested, 1_000, limits)).resolves.toHaveLength(1);
  await expect(readIsolated(nested, 5_000_000, limits)).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringMatching(/^http:.*\/nested\?key=… takes more than 64 MB of memory to read/),
  });
});

test('a process that one thing keeps busy is ended, and says which', async () => {
  await expect(readIsolated(busySite, BUSY, { memoryMb: 1_024, maxSilenceMs: 400 })).rejects.toMatchObject({
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
  const items = await readIsolated(feed, 0);
  const sizes = items.map(({ parts, rejected }) => Math.max(parts.length, rejected.length));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
  expect(items.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'object')).toHaveLength(entries);
  expect(items.filter(({ position }) => position !== null)).toHaveLength(1);
});

test('what is large comes in small slices', async () => {
  const large: Hostile = {
    name: 'large concepts',
    format: 'taxonomy',
    file: 'large.jsonl',
    content: () => ({
      '/': Array.from({ length: 20 }, (_, n) =>
        JSON.stringify({
          id: `a:${n}`,
          source: 'A',
          labels: { en: 'Weaving' },
          altLabels: { en: Array.from({ length: 500 }, (_, label) => `${label}`.repeat(100)) },
        }),
      ).join('\n'),
    }),
    ends: { objects: 20 },
  };
  const items = await readIsolated(large, 0);
  expect(Math.max(...items.map((each) => JSON.stringify(each).length))).toBeLessThan(700_000);
  expect(items.flatMap(({ parts }) => parts)).toHaveLength(20);
});

test('a source that rested is read by another process, unless it has changed', async () => {
  const table = hostiles.find(({ file }) => file === 'blank.csv')!;
  const { request } = await placeHostile(table, 1_000);
  const source = await createIsolatedSources(outbound).open(request);
  const { signal } = new AbortController();
  const readOne = async () => {
    for await (const { parts } of source.read({ after: null, signal })) return parts;
    return [];
  };
  source.freeMemory?.();
  expect(await readOne()).toHaveLength(2);
  source.freeMemory?.();
  await appendFile(request.location, 'https://a.example/2,Basketry\n');
  await expect(readOne()).rejects.toThrow('blank.csv changed while it was waiting');
  source.close?.();
});

test('whoever gives up need not wait for the process', async () => {
  const { request, close } = await placeHostile(busySite, BUSY);
  onTestFinished(close);
  const source = await createIsolatedSources(outbound).open(request);
  const stop = new AbortController();
  const items = source.read({ after: null, signal: stop.signal })[Symbol.asyncIterator]();
  const first = items.next();
  stop.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
});

test('one process opens and reads a source, also anew after a lost position, until it is closed', async () => {
  const table = hostiles.find(({ file }) => file === 'blank.csv')!;
  const { request } = await placeHostile(table, 1_000);
  const source = await createIsolatedSources(outbound).open(request);
  const { signal } = new AbortController();
  const readOne = async (after: string | null) => {
    for await (const { parts } of source.read({ after, signal })) return parts;
    return [];
  };
  await expect(readOne('nowhere')).rejects.toMatchObject({ name: 'PositionLost' });
  expect(await readOne(null)).toHaveLength(2);
  source.close?.();
  await expect(readOne(null)).rejects.toThrow('the reading was ended');
});
