import querystring from 'node:querystring';
import type { ImportSource } from '#ports/imports';
import { type ConceptLink, type ConceptPart, type ConceptRecord, conceptRecord } from '../catalog-schema.ts';
import { isConceptId, readEscoConceptId, refuseConcept, toConcept } from '../concept-parts.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { DEFAULT_LANG } from '../object-record.ts';
import { hashText, shortenSlug, slugifyText } from '../plain-text.ts';
import { plainWords } from '../quantities.ts';
import { type ColumnSpec, readColumnNames } from './columns.ts';
import { openRowSource, type RowsOptions } from './open-table.ts';
import type { RowOutcome, RowReader, SourceRow } from './row-reader.ts';
import { createRecentValues, readEachRow, readRowCell, readRowCellList, refuseRow } from './row-reader.ts';

export const linkNames = [
  'broader',
  'related',
  'sameAs',
  'essential',
  'optional',
] as const satisfies readonly ConceptLink[];
const kinds = conceptRecord.shape.kind.options;
const byLanguage = ['label', 'altLabels', 'description'];

export const taxonomyColumns: ColumnSpec = {
  ...readColumnNames('taxonomy', ['id'], byLanguage),
  byLanguage,
  instead: { id: ['uri', 'label'] },
  joined: ['altLabels:en', 'altLabels:fr', 'altLabels:de', 'broader'],
  nested: ['labels', 'altLabels', 'description', 'links'],
};

/** Opens a table with a row for each concept, or JSON Lines like `data/taxonomies`. With a name of
 *  the data set, ids may lack a prefix, and the source may be absent. Errors: IMPORT_INVALID. */
export function openTaxonomySource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  const { langs, name = '' } = options;
  return openRowSource(source, options, {
    format: 'taxonomy',
    columns: { ...taxonomyColumns, defaultLang: langs[0] ?? DEFAULT_LANG },
    variant: `:${name}:${langs.join()}`,
    createReader: ({ columns }) =>
      readTaxonomyConcepts(options, columns?.some(({ readAs }) => readAs === 'id') === true),
  });
}

/** @param hasIds whether a row without an id is a mistake: lists of institutions often have none */
function readTaxonomyConcepts(options: RowsOptions, hasIds: boolean): RowReader {
  const swapLine = createRecentValues<number>();
  return readEachRow((row) => {
    const cell = readRowCell(row.fields.id);
    const written = cell || hasIds ? cell : readRowCell(row.fields.uri) || firstTaxonomyLabel(row, options);
    if (written === '') return refuseRow('id is empty: give each concept an id of its own');
    const id = readTaxonomyId(written, options);
    const before = swapLine(id, row.line);
    if (before !== undefined) return refuseRow(`the id ${id} is that of line ${before}: write each concept once`);
    return toTaxonomyOutcome(id, row, options);
  });
}

function toTaxonomyOutcome(id: string, { fields }: SourceRow, options: RowsOptions): RowOutcome {
  const labels = readTaxonomyByLanguage(fields, labelNames, options.langs);
  if (Object.keys(labels).length === 0)
    return refuseConcept(id, '', 'there is no label: fill the column label:en, or that of another language');
  const description = readTaxonomyByLanguage(fields, descriptionNames, options.langs);
  const written = readRowCell(fields.kind);
  const kind = readTaxonomyConceptKind(written);
  const uri = [fields.uri, fields.id].map(readRowCell).find(isTaxonomyWebAddress);
  const badUri = uri === undefined ? readRowCell(fields.uri) : '';
  const warnings = [
    ...(kind === null ? [`kind is "${written.slice(0, 40)}": taken as skill; write ${kinds.join(', ')}`] : []),
    ...(badUri === '' ? [] : [`uri is "${badUri.slice(0, 60)}": left out; write an http or https address`]),
  ];
  const outcome = toConcept(id, '', {
    source: readRowCell(fields.source) || options.name || options.title.replace(/\.\w{2,5}$/, ''),
    kind: kind ?? 'skill',
    ...(uri !== undefined && { uri }),
    labels,
    ...readTaxonomyAltLabels(fields, options.langs),
    ...(Object.keys(description).length === 0 ? {} : { description }),
    ...readTaxonomyLinks(fields, options),
  });
  if (warnings.length === 0 || outcome.parts.length === 0) return outcome;
  return { ...outcome, rejected: [{ reason: warnings.join('; '), isUsed: true }] };
}

const kindWords: readonly (readonly [pattern: RegExp, kind: ConceptRecord['kind']])[] = [
  [/skill|compet|ability|abilit|savoir faire|fahigkeit|^$/, 'skill'],
  [/knowledge|topic|subject|connaissance|savoir|wissen|kenntnis|tech/, 'topic'],
  [/occupation|job|profession|metier|role|career|beruf/, 'occupation'],
  [/domain|group|category|cluster|area|field|class|branch|domaine|bereich|categorie/, 'domain'],
];

/** The kind that a word in several languages names. Null for an unknown word. */
export function readTaxonomyConceptKind(written: string): ConceptRecord['kind'] | null {
  const word = plainWords(written).replace(/[\s_-]+/g, ' ');
  return kinds.find((kind) => kind === word) ?? kindWords.find(([pattern]) => pattern.test(word))?.[1] ?? null;
}

const isTaxonomyWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

const firstTaxonomyLabel = ({ fields }: SourceRow, { langs }: RowsOptions): string =>
  slugifyText(Object.values(readTaxonomyByLanguage(fields, labelNames, langs))[0] ?? '');

/** Makes an id of an id, of a code, or of an address, whose last part is the code. */
function readTaxonomyId(written: string, { dataset }: RowsOptions): string {
  const escoId = readEscoConceptId(written);
  if (escoId !== null) return escoId;
  if (isTaxonomyWebAddress(written)) return `${dataset}:${readCodeOfAddress(written)}`;
  return isConceptId(written) ? written : `${dataset}:${toTaxonomyCode(written)}`;
}

function toTaxonomyCode(text: string): string {
  return text
    .trim()
    .normalize('NFD')
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The code at the end of an address: its fragment, query, or the last part of its path. */
export function readCodeOfAddress(address: string): string {
  const { pathname, search, hash } = new URL(address);
  const last = hash.slice(1) || search.slice(1) || pathname.split('/').findLast((part) => part !== '');
  return shortenSlug(toTaxonomyCode(querystring.unescape(last ?? address)) || hashText(address));
}

/** Texts by language are in columns such as `label:en`, or in a field of JSON. */
type TextNames = Readonly<Record<'column' | 'field', string>>;
const labelNames: TextNames = { column: 'label', field: 'labels' };
const descriptionNames: TextNames = { column: 'description', field: 'description' };

function readTaxonomyByLanguage(
  fields: SourceRow['fields'],
  { column, field }: TextNames,
  langs: readonly string[],
): Record<string, string> {
  const plain =
    typeof fields[field] === 'string' ? [[langs[0] ?? DEFAULT_LANG, fields[field]] as [string, unknown]] : [];
  const pairs = [...splitTaxonomyCell(fields[field]), ...plain, ...readColumnFamily(fields, column)].flatMap(
    ([lang, value]) => (readRowCell(value) === '' ? [] : [[lang, readRowCell(value)] as const]),
  );
  return Object.fromEntries(pairs.filter(([lang]) => isWantedLanguage(lang, langs)));
}

function readTaxonomyAltLabels(fields: SourceRow['fields'], langs: readonly string[]): Pick<ConceptPart, 'altLabels'> {
  const entries = [...splitTaxonomyCell(fields.altLabels), ...readColumnFamily(fields, 'altLabels')].filter(([lang]) =>
    isWantedLanguage(lang, langs),
  );
  const lists = entries.map(
    ([lang, value]) => [lang, readRowCellList(value, /\|/.test(readRowCell(value)) ? /\||\r?\n/ : /;|\r?\n/)] as const,
  );
  const filled = lists.filter(([, list]) => list.length > 0);
  return filled.length === 0 ? {} : { altLabels: Object.fromEntries(filled) };
}

const splitTaxonomyCell = (value: unknown): [string, unknown][] =>
  isTaxonomyTable(value) ? Object.entries(value) : [];

function isTaxonomyTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readColumnFamily(fields: SourceRow['fields'], column: string): [string, unknown][] {
  const prefix = `${column}:`;
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (!name.startsWith(prefix)) return [];
    return isTaxonomyTable(value) ? Object.entries(value) : [[name.slice(prefix.length), value]];
  });
}

const isWantedLanguage = (lang: string, langs: readonly string[]): boolean =>
  langs.length === 0 || langs.includes(lang);

function readTaxonomyLinks(fields: SourceRow['fields'], options: RowsOptions): Pick<ConceptPart, 'links'> {
  const nested = Object.fromEntries(splitTaxonomyCell(fields.links));
  const filled = linkNames.flatMap((link) => {
    const targets = readRowCellList(fields[link] ?? nested[link], /[|;]|\r?\n/).map((target) =>
      readTaxonomyId(target, options),
    );
    return targets.length === 0 ? [] : [[link, [...new Set(targets)]] as const];
  });
  return filled.length === 0 ? {} : { links: Object.fromEntries(filled) };
}
