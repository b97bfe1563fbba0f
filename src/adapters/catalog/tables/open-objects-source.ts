import type { CatalogPart } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import { parseWebAddress } from '#domain/web-address';
import type { ImportSource, RejectedRow } from '#ports/imports';
import type { ProviderRecord } from '../catalog-schema.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { toObjectProvider, toObjectProviderPart } from '../object-parts.ts';
import { DEFAULT_LANG, toObjectRecord } from '../object-record.ts';
import type { ColumnSpec } from './columns.ts';
import { readObjectCells } from './object-cells.ts';
import { openRows, type RowsOptions } from './open-rows.ts';
import { createRecentRows, type RowReader, readEachRow, readTableCell, refuseRow } from './row-reader.ts';
import { createTableSource } from './table-source.ts';

export const objectColumns: ColumnSpec = {
  required: ['url', 'title'],
  optional: [
    ...[
      'description',
      'provider',
      'type',
      'bloom',
      'lang',
      'keywords',
      'level',
      'learningTime',
      'free',
      'popularity',
    ],
    ...['author', 'publisher', 'address', 'lat', 'lon', 'ageMin', 'ageMax', 'picture', 'embed'],
  ],
  aliases: {
    link: 'url',
    web: 'url',
    name: 'title',
    language: 'lang',
    tags: 'keywords',
    keyword: 'keywords',
    types: 'type',
    authors: 'author',
    publishers: 'publisher',
    length: 'learningTime',
    duration: 'learningTime',
    latitude: 'lat',
    longitude: 'lon',
    image: 'picture',
    thumbnail: 'picture',
  },
  examples: {
    url: 'https://example.org/courses/first-aid',
    title: 'First aid at work',
    description: 'How to secure an accident, call for help and keep a person alive until it comes.',
    provider: 'Example Academy',
    type: 'training | video',
    bloom: 'Remember | Apply',
    lang: 'en',
    keywords: 'first aid | safety at work',
    level: 'beginner',
    learningTime: '1 h 30',
    free: 'yes',
    popularity: '0.5',
    author: 'Ada Example',
    publisher: 'Example Academy',
    address: '1 Example Street, 69003 Lyon, France',
    lat: '45.764',
    lon: '4.836',
    ageMin: '16',
    ageMax: '99',
    picture: 'https://example.org/courses/first-aid.jpg',
    embed: 'https://example.org/courses/first-aid/player',
  },
};

/** Opens learning objects: a table with a row for each, or JSON Lines like those of `data/objects`.
 *  Only the address and the title are required. Errors: IMPORT_INVALID. */
export async function openObjectsSource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  const { dataset, title, langs, provider = '' } = options;
  const table = await openRows(source, objectColumns);
  return createTableSource({
    format: 'objects',
    dataset,
    title,
    covers: [''],
    fingerprint: `${source.fingerprint}:${provider}:${langs.join()}`,
    plans: [{ table, covers: '', createReader: () => readObjects(options) }],
  });
}

/** Each provider is given before the first of its objects. */
function readObjects({ langs, provider: defaultProvider = '' }: RowsOptions): RowReader {
  const lines = createRecentRows<number>();
  const namedProviders = createRecentRows<true>();
  return readEachRow(({ fields, line }) => {
    const { cells, reasons, warnings } = readObjectCells(fields, langs[0] ?? DEFAULT_LANG);
    const url = readTableCell(fields.url);
    if (reasons.length > 0) return refuseRow(reasons.join('; '), objectAt(url));
    const provider = rowProvider(readTableCell(fields.provider) || defaultProvider, url);
    const outcome = toObjectRecord({
      ...cells,
      url,
      title: readTableCell(fields.title),
      provider: provider.id,
      defaultLang: langs[0],
    });
    if ('reason' in outcome) return refuseRow(outcome.reason, outcome.of);
    const { record } = outcome;
    const before = lines.swap(normalizeObjectAddress(record.url), line);
    if (before !== undefined)
      return refuseRow(`the address is that of line ${before}: write each object once`);
    const object: CatalogPart = { kind: 'object', key: record.url, part: '', body: record };
    const part = namedProviders.swap(provider.id, true) === undefined ? toObjectProviderPart(provider) : null;
    const rejected = warnings.length === 0 ? [] : [{ reason: warnings.join('; '), isUsed: true } as const];
    return { parts: part === null ? [object] : [part, object], rejected };
  });
}

function objectAt(url: string): RejectedRow['of'] {
  const key = parseWebAddress(url);
  return key === null ? undefined : { kind: 'object', key };
}

/** A provider with this name, or the site that the object is on. */
function rowProvider(name: string, url: string): ProviderRecord {
  if (name !== '') return toObjectProvider(name, undefined, url);
  return toObjectProvider(undefined, URL.canParse(url) ? `${new URL(url).origin}/` : undefined, url);
}
