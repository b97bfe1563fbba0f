import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import { refuseConcept, toConcept, toConceptAltLabels, toConceptLinks } from '../concept-parts.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { slugifyText } from '../plain-text.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import { openTable } from '../tables/open-table.ts';
import type { RowOutcome, RowReader, SourceRow } from '../tables/row-reader.ts';
import {
  createRecentValues,
  joinRowOutcomes,
  readEachRow,
  readRowCell,
  readRowsInRuns,
  refuseRow,
} from '../tables/row-reader.ts';
import { createTableSource, noteFiles, type TablePlan } from '../tables/table-source.ts';

interface OnetTable {
  /** Matches a file name that `simplifyOnetName` has simplified. */
  readonly name: RegExp;
  readonly title: string;
  readonly covers: string;
  readonly columns: ColumnSpec;
  createReader(): RowReader;
}

const CODE = 'O*NET-SOC Code';

/** Since version 30, files and columns have other names. */
const tables: readonly OnetTable[] = [
  {
    name: /^occupation_data$/,
    title: 'Occupation Data',
    covers: 'labels:en',
    columns: { required: [CODE, 'Title'], optional: ['Description'] },
    createReader: readOnetOccupations,
  },
  {
    name: /^(?:alternate|job)_titles$/,
    title: 'Job Titles (Alternate Titles)',
    covers: 'titles:',
    columns: {
      required: [CODE, 'Alternate Title'],
      optional: ['Short Title'],
      aliases: { 'Alternate Title': ['Job Title'] },
    },
    createReader: readOnetTitles,
  },
  {
    name: /^(?:technology|software)_skills$/,
    title: 'Software Skills (Technology Skills)',
    covers: 'tech:',
    columns: {
      required: [CODE, 'Example', 'Commodity Code', 'Commodity Title'],
      optional: [],
      aliases: {
        Example: ['Workplace Example'],
        'Commodity Code': ['Element ID'],
        'Commodity Title': ['Element Name'],
      },
    },
    createReader: readOnetTechnologies,
  },
  {
    name: /^related_occupations$/,
    title: 'Related Occupations',
    covers: 'links:related:',
    columns: { required: [CODE, 'Related O*NET-SOC Code'], optional: ['Relatedness Tier'] },
    createReader: readRelatedOnetOccupations,
  },
];

/** Opens files of O*NET, of which only that of occupations is required. Errors: IMPORT_INVALID.
 *  Source: https://www.onetcenter.org/database.html */
export async function openOnetSource(source: SourceFiles, dataset: string): Promise<ImportSource> {
  const plans: TablePlan[] = [];
  const usedFiles = new Set<string>();
  for (const { name, title, columns, ...table } of tables) {
    const file = source.files.find((each) => name.test(simplifyOnetName(each.name)));
    if (file === undefined) continue;
    usedFiles.add(title).add(file.path);
    plans.push({ ...table, table: await openTable(file, { columns, hasQuotes: false }) });
  }
  if (plans[0]?.covers !== tables[0]?.covers)
    throw new AppError(
      'IMPORT_INVALID',
      'Occupation Data of O*NET is not here. Name the folder or the ZIP file of the text, CSV or Excel files of the O*NET download.',
    );
  const missing = tables.map(({ title }) => title).filter((title) => !usedFiles.has(title));
  const unread = source.files.filter(({ path }) => !usedFiles.has(path));
  return createTableSource({
    format: 'onet',
    dataset,
    title: 'O*NET',
    fingerprint: source.fingerprint,
    plans,
    notes: noteFiles('O*NET', missing, unread),
  });
}

/** @example simplifyOnetName('Occupation Data.txt') // 'occupation_data' */
function simplifyOnetName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.(?:txt|tsv|csv|xlsx)$/, '')
    .replace(/[\s_-]+/g, '_');
}

const SOURCE = 'O*NET';
const BAD_CODE = 'the O*NET-SOC Code is not of the form 11-1011.00';

function readOnetOccupations(): RowReader {
  return readEachRow(({ fields }) => {
    const id = toOnetId(fields[CODE]);
    const label = readRowCell(fields.Title);
    const description = readRowCell(fields.Description);
    if (id === null) return refuseRow(BAD_CODE);
    if (label === '') return refuseConcept(id, 'labels:en', 'Title is empty');
    return toConcept(id, 'labels:en', {
      source: SOURCE,
      kind: 'occupation',
      labels: { en: label },
      ...(description !== '' && { description: { en: description } }),
    });
  });
}

function readOnetTitles(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      const key = toOnetId(fields[CODE]);
      const title = readRowCell(fields['Alternate Title']);
      const short = readRowCell(fields['Short Title']);
      if (key === null) return BAD_CODE;
      if (title === '') return 'Alternate Title is empty';
      return { key, value: short === '' || short === 'n/a' ? title : `${title}\n${short}` };
    },
    (id, values) => {
      const labels = values.flatMap((value) => value.split('\n'));
      const titles = toConceptAltLabels('en', labels, '');
      return toConcept(id, `titles:${titles.altLabels?.en?.[0] ?? ''}`, titles);
    },
  );
}

function readRelatedOnetOccupations(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      const key = toOnetId(fields[CODE]);
      const value = toOnetId(fields['Related O*NET-SOC Code']);
      if (key === null || value === null) return BAD_CODE;
      // Related occupations after the ten most similar ones have little in common.
      return readRowCell(fields['Relatedness Tier']) === 'Supplemental' ? null : { key, value };
    },
    (id, targets) => toConceptLinks(id, 'related', { prefix: 'links:related:', targets }),
  );
}

/** Makes concepts of technologies and of their groups, each once, and links occupations to them. */
function readOnetTechnologies(): RowReader {
  const swapRow = createRecentValues<true>();
  const once = (name: string, outcome: () => RowOutcome): RowOutcome[] =>
    swapRow(name, true) === undefined ? [outcome()] : [];
  return readRowsInRuns<string>(
    (row) => {
      const tech = readOnetTechnology(row);
      if (typeof tech === 'string') return tech;
      const { id, name, group, groupName } = tech;
      const outcomes = [
        ...once(group, () =>
          toConcept(group, 'tech:group', { source: SOURCE, kind: 'domain', labels: { en: groupName } }),
        ),
        ...once(id, () => toConcept(id, 'tech:name', { source: SOURCE, kind: 'topic', labels: { en: name } })),
        ...once(`${id} ${group}`, () => toConceptLinks(id, 'broader', { prefix: 'tech:broader:', targets: [group] })),
      ];
      const extra = outcomes.length > 0 && { extra: joinRowOutcomes(outcomes) };
      return { key: tech.occupation, value: id, ...extra };
    },
    (id, targets) => toConceptLinks(id, 'optional', { prefix: 'tech:optional:', targets }),
  );
}

/** @returns the technology, or the reason to reject the row */
function readOnetTechnology({ fields }: SourceRow) {
  const occupation = toOnetId(fields[CODE]);
  const name = readRowCell(fields.Example);
  const groupName = readRowCell(fields['Commodity Title']);
  const code = readRowCell(fields['Commodity Code']);
  const slug = slugifyText(name);
  if (occupation === null) return BAD_CODE;
  if (slug === '') return 'Example has no Latin letter and no digit';
  // Groups are those of UNSPSC until version 29, and elements of O*NET since.
  const isGroup = /^(?:\d{2,8}|\d(?:\.[A-Za-z\d]{1,3}){1,6})$/.test(code) && groupName !== '';
  if (!isGroup) return 'Commodity Code and Title, or Element ID and Name, do not name a group';
  const group = `onet:${code.includes('.') ? 'element' : 'unspsc'}-${code}`;
  return { occupation, id: `onet:tech-${slug}`, name, group, groupName };
}

function toOnetId(code: unknown): string | null {
  const text = readRowCell(code);
  return /^\d{2}-\d{4}\.\d{2}$/.test(text) ? `onet:${text}` : null;
}
