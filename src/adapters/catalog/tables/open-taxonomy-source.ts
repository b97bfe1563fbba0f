import type { ImportSource } from '#ports/imports';
import { type ConceptLink, type ConceptPart, type ConceptRecord, conceptRecord } from '../catalog-schema.ts';
import { readEscoConceptId, refuseConcept, toConcept } from '../concept-parts.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from './columns.ts';
import { openRows, type RowsOptions } from './open-rows.ts';
import {
  createRecentRows,
  type Outcome,
  type RowReader,
  readEachRow,
  readTableCell,
  readTableCellList,
  refuseRow,
  type SourceRow,
} from './row-reader.ts';
import { createTableSource } from './table-source.ts';

const linkNames = [
  'broader',
  'related',
  'sameAs',
  'essential',
  'optional',
] as const satisfies readonly ConceptLink[];
const kinds = conceptRecord.shape.kind.options;

export const taxonomyColumns: ColumnSpec = {
  required: ['id'],
  optional: ['source', 'kind', 'uri', ...linkNames],
  aliases: { code: 'id', type: 'kind', taxonomy: 'source', url: 'uri' },
  byLanguage: ['label', 'altLabels', 'description'],
  examples: {
    id: 'acme:beekeeping',
    source: 'Acme',
    kind: 'skill',
    uri: 'https://example.org/skills/beekeeping',
    broader: 'acme:animal-husbandry',
    related: 'acme:biodiversity',
    sameAs: 'skilldock:beekeeping',
    essential: 'acme:hive-building',
    optional: 'acme:honey-tasting',
    'label:en': 'beekeeping',
    'label:fr': 'apiculture',
    'altLabels:en': 'honey production',
    'description:en': 'Keeping bees and harvesting honey.',
  },
};

/** Opens a taxonomy: a table with a row for each concept, or JSON Lines like those of
 *  `data/taxonomies`. With a name, ids may lack the prefix of the taxonomy, and the source may be
 *  left out. Errors: IMPORT_INVALID. */
export async function openTaxonomySource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  const { dataset, title, langs, name } = options;
  const table = await openRows(source, taxonomyColumns);
  return createTableSource({
    format: 'taxonomy',
    dataset,
    title,
    covers: [''],
    fingerprint: `${source.fingerprint}:${name ?? ''}:${langs.join()}`,
    plans: [{ table, covers: '', createReader: () => readConcepts(options) }],
  });
}

function readConcepts(options: RowsOptions): RowReader {
  const lines = createRecentRows<number>();
  return readEachRow((row) => {
    const written = readTableCell(row.fields.id);
    if (written === '') return refuseRow('id is empty: give each concept an id of its own');
    const id = idOf(written, options);
    const before = lines.swap(id, row.line);
    if (before !== undefined)
      return refuseRow(`the id ${id} is that of line ${before}: write each concept once`);
    return toOutcome(id, row, options);
  });
}

function toOutcome(id: string, { fields }: SourceRow, options: RowsOptions): Outcome {
  const kind = readTableCell(fields.kind).toLowerCase() || 'skill';
  if (!isKind(kind))
    return refuseConcept(id, '', `kind is "${kind.slice(0, 40)}": write ${kinds.join(', ')}`);
  const source = readTableCell(fields.source) || options.name;
  if (source === undefined)
    return refuseConcept(id, '', 'source is empty: write the name of the taxonomy, or give it with --name');
  const labels = byLanguage(fields, 'label', 'labels', options.langs);
  if (Object.keys(labels).length === 0)
    return refuseConcept(id, '', 'there is no label: fill the column label:en, or that of another language');
  const description = byLanguage(fields, 'description', 'description', options.langs);
  const uri = readTableCell(fields.uri);
  return toConcept(id, '', {
    source,
    kind,
    ...(uri === '' ? {} : { uri }),
    labels,
    ...altLabels(fields, options.langs),
    ...(Object.keys(description).length === 0 ? {} : { description }),
    ...links(fields, options),
  });
}

function isKind(kind: string): kind is ConceptRecord['kind'] {
  return (kinds as readonly string[]).includes(kind);
}

/** Reads an id, which may be an address of ESCO; one without a prefix is of this taxonomy. */
function idOf(written: string, { name, dataset }: RowsOptions): string {
  const escoId = readEscoConceptId(written);
  if (escoId !== null) return escoId;
  return name === undefined || written.includes(':') ? written : `${dataset}:${written.replace(/\s+/g, '-')}`;
}

/** Texts by language, from columns such as `label:en`, or from the object in JSON. */
function byLanguage(
  fields: SourceRow['fields'],
  column: string,
  field: string,
  langs: readonly string[],
): Record<string, string> {
  const pairs = [...entriesOf(fields[field]), ...columnsOf(fields, column)].flatMap(([lang, value]) =>
    readTableCell(value) === '' ? [] : [[lang, readTableCell(value)] as const],
  );
  return Object.fromEntries(pairs.filter(([lang]) => isWanted(lang, langs)));
}

function altLabels(fields: SourceRow['fields'], langs: readonly string[]): Pick<ConceptPart, 'altLabels'> {
  const entries = [...entriesOf(fields.altLabels), ...columnsOf(fields, 'altLabels')].filter(([lang]) =>
    isWanted(lang, langs),
  );
  const lists = entries.map(([lang, value]) => [lang, readTableCellList(value, /\||\r?\n/)] as const);
  const filled = lists.filter(([, list]) => list.length > 0);
  return filled.length === 0 ? {} : { altLabels: Object.fromEntries(filled) };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function columnsOf(fields: SourceRow['fields'], column: string): [string, unknown][] {
  const prefix = `${column}:`;
  return Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as [string, unknown]] : [],
  );
}

function isWanted(lang: string, langs: readonly string[]): boolean {
  return langs.length === 0 || langs.includes(lang);
}

function links(fields: SourceRow['fields'], options: RowsOptions): Pick<ConceptPart, 'links'> {
  const nested = Object.fromEntries(entriesOf(fields.links));
  const filled = linkNames.flatMap((link) => {
    const targets = readTableCellList(fields[link] ?? nested[link], /[|;]|\r?\n/).map((target) =>
      idOf(target, options),
    );
    return targets.length === 0 ? [] : [[link, [...new Set(targets)]] as const];
  });
  return filled.length === 0 ? {} : { links: Object.fromEntries(filled) };
}
