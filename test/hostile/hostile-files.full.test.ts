import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createImportSources } from '../../src/adapters/catalog/open-import-source.ts';
import { cleanTitle, slugifyText } from '../../src/adapters/catalog/plain-text.ts';
import { readFeed } from '../../src/adapters/catalog/web/feed/read-feed.ts';
import { readPageJsonLd } from '../../src/adapters/catalog/web/lrmi/json-ld.ts';
import { readSitemap } from '../../src/adapters/catalog/web/lrmi/sitemap.ts';
import { readOaiPage } from '../../src/adapters/catalog/web/oai/records.ts';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import { draw, propertyRuns } from '../helpers/draw.ts';
import { type Hostile, hostiles } from './hostile-files.ts';
import { placeHostile, readAllItems } from './read-hostile.ts';

const outbound = createOutbound({
  allowLoopback: true,
  privateAccess: noPrivateAccess,
  allowHttp: true,
  version: '1',
});
const sources = createImportSources({ outbound });
afterAll(() => outbound.close());

const SIZE = 400_000;

async function readHostile(hostile: Hostile, size: number): Promise<unknown> {
  const { request, close } = await placeHostile(hostile, size);
  try {
    return await readAllItems(sources, request).catch((error: unknown) => error);
  } finally {
    await close();
  }
}

describe('every hostile file ends with words, or is read', () => {
  test.each(hostiles)('$name', async (hostile) => {
    const outcome = await readHostile(hostile, SIZE);
    const { ends } = hostile;
    if ('refused' in ends) {
      expect(outcome).toMatchObject({ code: 'IMPORT_INVALID', message: expect.stringMatching(ends.refused) });
      return;
    }
    const items = outcome as Awaited<ReturnType<typeof readAllItems>>;
    const objects = items.flatMap(({ parts }) => parts).filter(({ kind }) => kind !== 'provider');
    const rejected = items.flatMap((each) => each.rejected);
    if ('objects' in ends)
      expect({ objects: objects.length, rejected }).toEqual({ objects: ends.objects, rejected: [] });
    else {
      expect(rejected).toHaveLength(1);
      expect(`${rejected[0]!.place} ${rejected[0]!.reason}`).toMatch(ends.rejected);
      expect(rejected[0]!.of?.key.length ?? 0).toBeLessThan(1_000);
      expect(objects).toHaveLength(1);
    }
  });
});

describe('time grows with the length alone', () => {
  async function measure(act: () => Promise<unknown> | unknown): Promise<number> {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }

  /** What grows with the square takes 64 times as long for eight times as much. CPU is measured, as
   *  the libraries do the work. Other processes only add to it, so the least of each counts, and a
   *  ratio is too large only where many turns do not lower it. */
  async function expectLine(act: (size: number) => Promise<unknown> | unknown, size: number): Promise<void> {
    let [once, eightTimes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const most = () => 40 * Math.max(once, 4);
    // The first turn also compiles.
    for (let turn = 1; turn <= 2 || (turn <= 12 && eightTimes >= most()); turn++) {
      once = Math.min(once, await measure(() => act(size / 2)));
      eightTimes = Math.min(eightTimes, await measure(() => act(4 * size)));
    }
    expect(eightTimes).toBeLessThan(most());
  }

  test.each(draw(hostiles, 'hostile files', 6))('$name', (hostile) =>
    expectLine((size) => readHostile(hostile, size), SIZE),
  );

  const pieces = [
    ...[
      '<div>',
      '</div>',
      '<p>',
      '<a b="1">',
      '</a>',
      '<br/>',
      '<a b=c ',
      '"',
      "'",
      '>',
      '<',
      '&',
      '&amp;',
      '&#1',
      ';',
    ],
    ...['<!--', '-->', '<![CDATA[', ']]>', '<?x', '?>', '<!DOCTYPE a', '<script>', '</script>', '<title>', '</title>'],
    ...['text', ' ', '\n', '\r\n', '\t', 'é', '😀', '[', ']', '{', '}', ',', ':', '\\', '//', '*', '- '],
  ];

  test('of any markup and text', async () => {
    const readers: readonly ((text: string) => unknown)[] = [
      (text) => readPageJsonLd(text, 'here'),
      (text) => readFeed(`<rss><channel>${text}`, 'here'),
      (text) => readOaiPage(`<OAI-PMH>${text}`, 'here'),
      (text) => readSitemap(Buffer.from(`<urlset>${text}`), 'here'),
      (text) => cleanTitle(text),
      (text) => slugifyText(text),
    ];
    const drawn = fc.tuple(
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }),
      fc.nat(readers.length - 1),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async ([parts, which]) => {
        const piece = parts.join('');
        const act = (size: number) => {
          try {
            readers[which]!(piece.repeat(size / piece.length));
          } catch {
            // Refused.
          }
        };
        await expectLine(act, 200_000);
      }),
      propertyRuns(300, 40),
    );
  });
});
