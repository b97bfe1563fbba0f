import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { ConceptKind, ConceptLink } from '../catalog-schema.ts';
import {
  readEscoConceptId,
  readIscoConceptId,
  refuseConcept,
  toConcept,
  toConceptAltLabels,
  toConceptLinks,
} from '../concept-parts.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import { openDelimitedTable } from '../tables/delimited-table.ts';
import type { RowOutcome, RowReader, SourceRow } from '../tables/row-reader.ts';
import { readEachRow, readRowCell, readRowsInRuns, refuseRow } from '../tables/row-reader.ts';
import { createTableSource, noteFiles } from '../tables/table-source.ts';

interface EscoTable {
  readonly fileName: string;
  readonly hasLanguages: boolean;
  readonly columns: ColumnSpec;
  /** The prefix of the names of its parts. */
  covers(lang: string): string;
  createReader(options: ReaderOptions): RowReader;
}

interface ReaderOptions {
  /** Two-letter code; empty for links, which have no language. */
  readonly lang: string;
  /** Whether another file has the broader concepts of occupations. */
  readonly hasOccupationLinks: boolean;
}

const LEVELS = [0, 1, 2, 3];
const broaderColumns: LinkColumns = { from: 'conceptUri', to: 'broaderUri', link: 'broader' };
const skillColumns: LinkColumns = { from: 'occupationUri', to: 'skillUri', link: null };
const relatedColumns: LinkColumns = { from: 'originalSkillUri', to: 'relatedSkillUri', link: 'related' };

/** Tables in the order in which they are read: labels before links. */
const tables: readonly EscoTable[] = [
  defineEscoLabels('skills', 'skills', ({ skillType }) => (skillType === 'knowledge' ? 'topic' : 'skill')),
  defineEscoLabels('occupations', 'occupations', () => 'occupation'),
  defineEscoLabels('skillGroups', 'groups', () => 'domain'),
  {
    fileName: 'skillsHierarchy',
    hasLanguages: true,
    columns: {
      required: ['Level 0 URI', 'Level 0 preferred term'],
      optional: [...LEVELS.slice(1).flatMap((n) => [`Level ${n} URI`, `Level ${n} preferred term`]), 'Description'],
    },
    covers: (lang) => `labels:${lang}:hierarchy`,
    createReader: ({ lang }) => readEachRow((row) => readEscoGroup(row, lang)),
  },
  defineEscoLinks('broaderRelationsSkillPillar', 'broader-skills', broaderColumns),
  defineEscoLinks('broaderRelationsOccPillar', 'broader-occupations', broaderColumns),
  defineEscoLinks('occupationSkillRelations', 'occupation-skills', skillColumns),
  defineEscoLinks('skillSkillRelations', 'skill-skills', relatedColumns),
];

const NO_ADDRESS = 'is not an address of ESCO, http://data.europa.eu/esco/…';

function defineEscoLabels(
  fileName: string,
  table: string,
  kindOf: (fields: SourceRow['fields']) => ConceptKind,
): EscoTable {
  const nameLabels = (lang: string) => `labels:${lang}:${table}`;
  return {
    fileName,
    hasLanguages: true,
    columns: {
      required: ['conceptUri', 'preferredLabel'],
      optional: ['altLabels', 'hiddenLabels', 'description', 'definition', 'skillType', 'iscoGroup'],
    },
    covers: nameLabels,
    createReader: ({ lang, hasOccupationLinks }) =>
      readEachRow(({ fields }) => {
        const id = readEscoConceptId(readRowCell(fields.conceptUri));
        const label = readRowCell(fields.preferredLabel);
        if (id === null) return refuseRow(`conceptUri ${NO_ADDRESS}`);
        if (label === '') return refuseConcept(id, nameLabels(lang), 'preferredLabel is empty');
        const group = hasOccupationLinks ? null : readIscoConceptId(readRowCell(fields.iscoGroup));
        return toConcept(id, nameLabels(lang), {
          source: 'ESCO',
          kind: kindOf(fields),
          labels: { [lang]: label },
          ...toConceptAltLabels(lang, [...splitLines(fields.altLabels), ...splitLines(fields.hiddenLabels)], label),
          ...readDescription(fields, lang),
          ...(group !== null && { links: { broader: [group] } }),
        });
      }),
  };
}

const splitLines = (cell: unknown): string[] => readRowCell(cell).split(/\r\n?|\n/);

function readDescription({ description, definition, Description }: SourceRow['fields'], lang: string) {
  const text = readRowCell(description) || readRowCell(definition) || readRowCell(Description);
  return text !== '' && { description: { [lang]: text } };
}

/** Reads a row with the path to a group: the last level is the group, the one before is broader. */
function readEscoGroup({ fields }: SourceRow, lang: string): RowOutcome {
  const path = LEVELS.map((n) => ({
    uri: readRowCell(fields[`Level ${n} URI`]),
    label: readRowCell(fields[`Level ${n} preferred term`]),
  })).filter(({ uri }) => uri !== '');
  const part = `labels:${lang}:hierarchy`;
  const label = path.at(-1)?.label ?? '';
  const id = readEscoConceptId(path.at(-1)?.uri ?? '');
  const broader = readEscoConceptId(path.at(-2)?.uri ?? '');
  if (id === null) return refuseRow('no level has an address of ESCO, http://data.europa.eu/esco/…');
  if (label === '') return refuseConcept(id, part, 'the preferred term of the last level is empty');
  return toConcept(id, part, {
    source: 'ESCO',
    kind: 'domain',
    labels: { [lang]: label },
    ...readDescription(fields, lang),
    ...(broader !== null && { links: { broader: [broader] } }),
  });
}

interface LinkColumns {
  readonly from: string;
  readonly to: string;
  /** Null if the column `relationType` names it. */
  readonly link: ConceptLink | null;
}

/** Defines a table of links, of which consecutive ones of a concept make one part. Links of ISCO
 *  groups are left out, as the starter taxonomy has them. */
function defineEscoLinks(fileName: string, table: string, { from, to, link }: LinkColumns): EscoTable {
  return {
    fileName,
    hasLanguages: false,
    columns: { required: link === null ? [from, to, 'relationType'] : [from, to], optional: [] },
    covers: () => `links:${table}:`,
    createReader: () =>
      readRowsInRuns(
        ({ fields }) => {
          const id = readEscoConceptId(readRowCell(fields[from]));
          const value = readEscoConceptId(readRowCell(fields[to]));
          if (id === null || value === null) return `${id === null ? from : to} ${NO_ADDRESS}`;
          if (!id.startsWith('esco:')) return null;
          const type = link ?? readRowCell(fields.relationType);
          const isLink = link !== null || type === 'essential' || type === 'optional';
          return isLink ? { key: `${type} ${id}`, value } : 'relationType is neither essential nor optional';
        },
        (key, targets) => {
          const [type = '', id = ''] = key.split(' ');
          return toConceptLinks(id, type as ConceptLink, { prefix: `links:${table}:${type}:`, targets });
        },
      ),
  };
}

/** Opens ESCO's official CSV download. Occupations are linked with the ISCO groups of the starter
 *  taxonomy. Errors: IMPORT_INVALID. Source: https://esco.ec.europa.eu/en/use-esco/download */
export async function openEscoSource(
  source: SourceFiles,
  { dataset, langs: chosenLangs }: { readonly dataset: string; readonly langs: readonly string[] },
): Promise<ImportSource> {
  const files = chooseEscoFiles(source.files, chosenLangs);
  const langs = [...new Set(files.flatMap(({ lang }) => lang || []))].sort();
  refuseMissingEscoTables(langs, chosenLangs);
  const hasOccupationLinks = files.some(({ table }) => table.fileName === 'broaderRelationsOccPillar');
  return createTableSource({
    format: 'esco',
    dataset,
    title: `ESCO (${langs.join(', ')})`,
    fingerprint: `${source.fingerprint}:${langs.join()}`,
    plans: await Promise.all(
      files.map(async ({ table, lang, file }) => ({
        table: await openDelimitedTable(file, { columns: table.columns }),
        covers: table.covers(lang),
        createReader: () => table.createReader({ lang, hasOccupationLinks }),
      })),
    ),
    notes: noteFiles(
      'ESCO',
      listMissingEscoTables(files, langs),
      source.files.filter((file) => recogniseEscoFile(file) === null),
    ),
  });
}

type EscoFile = { readonly table: EscoTable; readonly lang: string; readonly file: SourceFile };
const byFolder = new Intl.Collator('en', { numeric: true });

/** Chooses the files to read. Of several versions of a file, the last folder has the newest. */
function chooseEscoFiles(files: readonly SourceFile[], langs: readonly string[]): EscoFile[] {
  const sorted = files.toSorted((a, b) => byFolder.compare(a.path, b.path));
  const chosen = new Map<string, EscoFile>();
  for (const file of sorted.flatMap((each) => recogniseEscoFile(each) ?? []))
    if (file.lang === '' || langs.length === 0 || langs.includes(file.lang))
      chosen.set(`${file.table.fileName}:${file.lang}`, file);
  return [...chosen.values()].sort((a, b) => tables.indexOf(a.table) - tables.indexOf(b.table));
}

function recogniseEscoFile(file: SourceFile): EscoFile | null {
  const [, name = '', lang = ''] = /^([a-z]+?)(?:_([a-z]{2}))?\.csv$/i.exec(file.name) ?? [];
  const table = tables.find(({ fileName }) => fileName.toLowerCase() === name.toLowerCase());
  if (table === undefined || (table.hasLanguages && lang === '')) return null;
  return { table, lang: table.hasLanguages ? lang.toLowerCase() : '', file };
}

function listMissingEscoTables(files: readonly EscoFile[], langs: readonly string[]): string[] {
  return tables.flatMap((table) =>
    (table.hasLanguages ? langs : [''])
      .filter((lang) => !files.some((file) => file.table === table && file.lang === lang))
      .map((lang) => `${table.fileName}${lang === '' ? '' : `_${lang}`}.csv`),
  );
}

function refuseMissingEscoTables(available: readonly string[], chosen: readonly string[]): void {
  const missing = chosen.filter((lang) => !available.includes(lang));
  if (available.length > 0 && missing.length === 0) return;
  const message =
    available.length === 0
      ? 'There is no ESCO file here. Name the folder or the ZIP file with skills_en.csv, occupations_en.csv and the others, as in the ESCO download.'
      : `ESCO is not here in ${missing.join(', ')}, only in ${available.join(', ')}. Choose other languages, or download these too.`;
  throw new AppError('IMPORT_INVALID', message);
}
