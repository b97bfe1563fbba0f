import type { CatalogPart } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import { type FactName, factNames, objectFacts } from '#domain/object-facts';
import type { ImportSource } from '#ports/imports';
import type { ProviderRecord } from '../catalog-schema.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { DEFAULT_LANG, toObjectProvider, toObjectProviderPart, toObjectRecord } from '../object-record.ts';
import { type ColumnSpec, readColumnNames } from './columns.ts';
import { readObjectCells } from './object-cells.ts';
import { openRowSource, type RowsOptions } from './open-table.ts';
import { createRecentValues, type RowReader, readEachRow, readRowCell, refuseRow } from './row-reader.ts';

const columns = readColumnNames('objects', ['url', 'title']);
const mapObjectFacts = <T>(select: (fact: (typeof objectFacts)[FactName]) => T): Record<string, T> =>
  Object.fromEntries(factNames.map((name) => [name, select(objectFacts[name])]));

export const objectColumns: ColumnSpec = {
  ...columns,
  optional: [...columns.optional, ...factNames],
  aliases: { ...columns.aliases, ...mapObjectFacts((fact) => fact.columns.split(', ')) },
  joined: ['keywords', 'author'],
  nested: ['location'],
  examples: { ...columns.examples, ...mapObjectFacts((fact) => fact.example) },
};

/** Opens a table of objects, or JSON Lines like those of `data/objects`. Errors: IMPORT_INVALID. */
export function openObjectsSource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  return openRowSource(source, options, {
    format: 'objects',
    columns: objectColumns,
    variant: `:${options.provider ?? ''}:${options.langs.join()}`,
    createReader: () => readSourceObjects(options),
  });
}

/** An address without its scheme: `www.example.org/a`. */
const BARE_ADDRESS = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,20}(?::\d+)?(?:[/?#]\S*)?$/i;

/** Makes an object of each row, and a provider before the first of its objects. */
function readSourceObjects({ langs, provider: defaultProvider = '' }: RowsOptions): RowReader {
  const swapLine = createRecentValues<number>();
  const swapProvider = createRecentValues<true>();
  return readEachRow(({ fields, line }) => {
    const { cells, warnings: cellWarnings } = readObjectCells(fields, langs[0] ?? DEFAULT_LANG);
    const written = readRowCell(fields.url).replace(/^<(.*)>$/, '$1');
    const url = BARE_ADDRESS.test(written) ? `https://${written}` : written;
    const urlWarnings = url === written ? [] : [`url is "${written.slice(0, 60)}": taken as ${url.slice(0, 70)}`];
    const warnings = [...urlWarnings, ...cellWarnings];
    const provider = toObjectRowProvider(readRowCell(fields.provider) || defaultProvider, url);
    const title = readRowCell(fields.title);
    const outcome = toObjectRecord({ ...cells, url, title, provider: provider.id, defaultLang: langs[0] });
    if ('reason' in outcome) return refuseRow(outcome.reason, outcome.of);
    const { record } = outcome;
    const before = swapLine(normalizeObjectAddress(record.url), line);
    if (before !== undefined) return refuseRow(`the address is that of line ${before}: write each object once`);
    const object: CatalogPart = { kind: 'object', key: record.url, part: '', body: record };
    const part = swapProvider(provider.id, true) === undefined ? toObjectProviderPart(provider) : null;
    const rejected = warnings.length === 0 ? [] : [{ reason: warnings.join('; '), isUsed: true } as const];
    return { parts: part === null ? [object] : [part, object], rejected };
  });
}

function toObjectRowProvider(name: string, url: string): ProviderRecord {
  if (name !== '') return toObjectProvider(name, undefined, url);
  return toObjectProvider(undefined, URL.canParse(url) ? `${new URL(url).origin}/` : undefined, url);
}
