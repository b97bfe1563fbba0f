import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportItem, ImportSource } from '../../../src/ports/imports.ts';
import { skipBecause } from '../../helpers/skips.ts';
import { openSource } from './read-all.ts';

const data = resolve('../shared/data');
const isThere = existsSync(data);
if (!isThere) skipBecause('the real taxonomies are not here', 'Put them into ../shared/data beside the project.');

/** Rows of each file that are looked at: all of them would take a minute of work on a slow
 *  machine. */
const ROWS = 300;

/** What the first rows of a table lead to; null where there is no such table. */
async function readTable(source: ImportSource, number: number): Promise<ImportItem[] | null> {
  const items: ImportItem[] = [];
  let rows = 0;
  for await (const item of source.read({ after: `${number}:0`, signal: new AbortController().signal })) {
    if (item.position?.startsWith(`${number}:`) !== true) break;
    items.push(item);
    rows += item.rows;
    if (rows >= ROWS) break;
  }
  return items.length === 0 ? null : items;
}

/** By the first word of the names of parts, how many labels, descriptions and links they have. */
function countContents(items: readonly ImportItem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { part, body } of items.flatMap(({ parts }) => parts)) {
    const {
      labels = {},
      altLabels = {},
      description = {},
      links = {},
    } = body as Record<string, Record<string, string[]>>;
    const name = part.split(':')[0] ?? '';
    const add = (what: string, count: number) => {
      if (count > 0) counts[`${name} ${what}`] = (counts[`${name} ${what}`] ?? 0) + count;
    };
    for (const lang of Object.keys(labels)) add(lang, 1);
    add('descriptions', Object.keys(description).length);
    for (const [lang, list] of Object.entries(altLabels)) add(`${lang} alternative`, list.length);
    for (const [link, list] of Object.entries(links)) add(link, list.length);
  }
  return counts;
}

describe.skipIf(!isThere)('the beginnings of the files of', () => {
  const summary = async (format: 'esco' | 'onet' | 'rome', folder: string) => {
    const source = await openSource(format, resolve(data, folder));
    const tables: Record<string, number>[] = [];
    for (let number = 0; ; number++) {
      const items = await readTable(source, number);
      if (items === null) return { title: source.title, tables };
      expect(items.flatMap(({ rejected }) => rejected)).toEqual([]);
      tables.push(countContents(items));
    }
  };

  test('ESCO', async () => {
    expect(await summary('esco', 'esco')).toEqual({
      tables: [
        {
          'labels fr': 300,
          'labels fr alternative': 42,
        },
        {
          'labels descriptions': 300,
          'labels en': 300,
          'labels en alternative': 1850,
        },
        {
          'labels fr': 300,
          'labels fr alternative': 1241,
        },
        {
          'labels descriptions': 300,
          'labels en': 300,
          'labels en alternative': 3277,
        },
        {
          'labels descriptions': 170,
          'labels en': 300,
          'labels en alternative': 56,
        },
        {
          'labels broader': 297,
          'labels descriptions': 297,
          'labels en': 300,
        },
        {
          'links broader': 300,
        },
        {},
        {
          'links essential': 216,
          'links optional': 140,
        },
        {
          'links related': 301,
        },
      ],
      title: 'ESCO (en, fr)',
    });
  });

  test('O*NET', async () => {
    expect(await summary('onet', 'onet')).toEqual({
      tables: [
        {
          'labels descriptions': 300,
          'labels en': 300,
        },
        {
          'titles en alternative': 370,
        },
        {
          'tech broader': 238,
          'tech en': 296,
          'tech optional': 319,
        },
        {
          'links related': 150,
        },
      ],
      title: 'O*NET',
    });
  });

  test('ROME and its mapping to ESCO', async () => {
    expect(await summary('rome', 'rome-347')).toEqual({
      tables: [
        {
          'domain broader': 61,
          'domain fr': 70,
          'labels broader': 300,
          'labels fr': 300,
        },
        {
          'title broader': 300,
          'title fr': 300,
          'title fr alternative': 61,
        },
        {
          'competence fr': 219,
        },
        {
          'definition descriptions': 97,
        },
        {
          'links essential': 330,
        },
        {
          'links related': 270,
          'links sameAs': 30,
        },
      ],
      title: 'ROME',
    });
  });
});
