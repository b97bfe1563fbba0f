import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createImportSources } from '../../../../src/adapters/catalog/open-import-source.ts';
import type { ImportCounts, ImportFormat } from '../../../../src/domain/catalog.ts';
import type { ImportRequest } from '../../../../src/ports/imports.ts';
import { folderWith } from '../../../adapters/catalog/read-all.ts';
import { realFiles, serveFolder } from '../../../adapters/catalog/real-files.ts';
import { tester } from '../../../helpers/open-services.ts';
import { openEmptyStore, startHost } from './import-samples.ts';

/** What was read is what became of it. */
function expectSum({ rows, added, changed, unchanged, rejected, leftOut = 0 }: ImportCounts): void {
  expect({ rows }).toEqual({ rows: added + changed + unchanged + rejected + leftOut });
}

const open = (folder: string, request: Partial<ImportRequest> & Pick<ImportRequest, 'format' | 'location'>) =>
  createImportSources({ outbound: serveFolder(folder) }).open({ langs: [], ...request });

const formatOf: Readonly<Record<string, ImportFormat>> = {
  csv: 'objects',
  feed: 'feed',
  lom: 'oai',
  oai: 'oai',
  lrmi: 'lrmi',
  sitemap: 'lrmi',
};

interface RealCase {
  readonly name: string;
  readonly format: ImportFormat;
  readonly folder: string;
  readonly location: string;
}

const real: RealCase[] = readdirSync(realFiles).flatMap((name): RealCase[] => {
  const format = formatOf[name.split('-')[0] ?? ''];
  const folder = join(realFiles, name);
  const places = readdirSync(folder).map((file) =>
    format === 'lrmi' && !file.endsWith('.json') ? `https://school.example.org/${file}` : join(folder, file),
  );
  if (format === undefined) return [];
  return format === 'oai'
    ? [{ name, format, folder, location: 'https://repo.example.org/oai' }]
    : places.map((location) => ({ name, format, folder, location }));
});

describe('nothing that was read vanishes', () => {
  test.each(real)('$name $location', async ({ folder, format, location }) => {
    const host = startHost(openEmptyStore());
    const dry = await host.imports.run(tester, await open(folder, { format, location }), { dryRun: true });
    const first = await host.imports.run(tester, await open(folder, { format, location }));
    const again = await host.imports.run(tester, await open(folder, { format, location }));
    expect(first.counts).toEqual(dry.counts);
    for (const { counts } of [dry, first, again]) expectSum(counts);
    expect(again.counts).toMatchObject({ added: 0, changed: 0, unchanged: first.counts.added });
  });

  test('of a table: given twice, without a title, changed, and kept although its row is rejected', async () => {
    const host = startHost(openEmptyStore());
    const read = async (rows: readonly string[], options = {}) => {
      const folder = folderWith({ 'a.csv': ['url,title', ...rows].join('\n') });
      return host.imports.run(
        tester,
        await open(folder, { format: 'objects', location: join(folder, 'a.csv') }),
        options,
      );
    };
    const url = 'https://a.example/';
    expect((await read([`${url}1,One`, `${url}2,Two`, `${url}3,Three`])).counts).toMatchObject({
      rows: 3,
      added: 3,
    });
    const rows = [`${url}1,One`, `${url}2,Other`, `${url}3,`, `${url}4,Four`, `${url}4,Four`, 'nowhere,Five'];
    for (const dryRun of [true, false]) {
      const { counts } = await read(rows, { dryRun });
      expect(counts).toMatchObject({
        rows: 6,
        added: 1,
        changed: 1,
        unchanged: 1,
        rejected: 3,
        kept: 1,
        leftOut: 0,
        removed: 0,
      });
      expectSum(counts);
    }
  });

  test('of a feed in two pages that give an entry twice', async () => {
    const page = (links: readonly string[], next = '') =>
      `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>S</title>${next}${links.map((link) => `<item><title>${link}</title><link>https://a.example/${link}</link></item>`).join('')}</channel></rss>`;
    const folder = folderWith({
      'one.xml': page(['a', 'b'], '<atom:link rel="next" href="https://a.example/two.xml"/>'),
      'two.xml': page(['b', 'c']),
    });
    const source = await open(folder, { format: 'feed', location: 'https://a.example/one.xml' });
    const { counts } = await startHost(openEmptyStore()).imports.run(tester, source);
    expect(counts).toMatchObject({ rows: 4, added: 3, rejected: 0, leftOut: 1 });
  });

  test('of a taxonomy, rows that bring nothing are counted', async () => {
    const folder = join(realFiles, 'rome-4-official');
    const source = await open(folder, { format: 'rome', location: folder });
    const { counts } = await startHost(openEmptyStore()).imports.run(tester, source);
    expect(counts).toMatchObject({ rows: 11, rejected: 0, leftOut: 3 });
  });
});

describe('how a table is read', () => {
  test('is remembered for its data set, until somebody chooses otherwise or its columns are others', async () => {
    const host = startHost(openEmptyStore());
    const sources = host.imports.remember(createImportSources({ outbound: serveFolder('.') }));
    const read = async (header: string, request: Partial<ImportRequest> = {}) => {
      const folder = folderWith({ 'spring.csv': `${header}\nhttps://a.example/,A\n` });
      const location = join(folder, 'spring.csv');
      const source = await sources.open({ format: 'objects', location, langs: [], ...request });
      return (await host.imports.run(tester, source)).record?.choices;
    };
    const map = { 'Was es ist': 'title' };
    await expect(read('url,Was es ist')).rejects.toMatchObject({
      message: expect.stringMatching(/^spring\.csv lacks the column title\..*"Was es ist"/),
      data: {
        columns: [
          { name: 'url', readAs: 'url' },
          { name: 'Was es ist', readAs: null },
        ],
      },
    });
    expect(await read('url,Was es ist', { map })).toEqual({ map });
    expect(await read('url,Was es ist')).toEqual({ map });
    expect(await read('url,title')).toEqual({ map });
    expect(await read('url,title,Was es ist', { map: { 'Was es ist': '' } })).toEqual({
      map: { 'Was es ist': '' },
    });
  });
});
