import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { openDelimitedTable } from '../tables/delimited-table.ts';
import { createTableSource, noteFiles, type TablePlan } from '../tables/table-source.ts';
import { escoLabelColumns, escoLinkColumns, readEscoLabels, readEscoLinks } from './read-esco.ts';

type EscoTable =
  | 'skills'
  | 'occupations'
  | 'groups'
  | 'hierarchy'
  | 'broader-skills'
  | 'broader-occupations'
  | 'occupation-skills'
  | 'skill-skills';

interface EscoFile {
  readonly table: EscoTable;
  /** Two-letter code; null for links, which have no language. */
  readonly lang: string | null;
  readonly file: SourceFile;
}

const tables: Readonly<Record<string, EscoTable>> = {
  skills: 'skills',
  occupations: 'occupations',
  skillGroups: 'groups',
  skillsHierarchy: 'hierarchy',
  broaderRelationsSkillPillar: 'broader-skills',
  broaderRelationsOccPillar: 'broader-occupations',
  occupationSkillRelations: 'occupation-skills',
  skillSkillRelations: 'skill-skills',
};

const tableByName = new Map(Object.entries(tables).map(([name, table]) => [name.toLowerCase(), table]));

const withLanguage: ReadonlySet<EscoTable> = new Set(['skills', 'occupations', 'groups', 'hierarchy']);

const byFolder = new Intl.Collator('en', { numeric: true });

interface OfficialOptions {
  readonly dataset: string;
  readonly langs: readonly string[];
}

/** ESCO's official CSV download: labels of each language, and links between concepts. Occupations
 *  are linked with the ISCO groups of the starter taxonomy. Errors: IMPORT_INVALID.
 *  Source: https://esco.ec.europa.eu/en/use-esco/download */
export async function openEscoSource(source: SourceFiles, options: OfficialOptions): Promise<ImportSource> {
  const files = chooseEscoFiles(source.files, options.langs);
  const langs = [...new Set(files.flatMap(({ lang }) => lang ?? []))].sort();
  refuseMissing(langs, options.langs);
  const hasOccupationLinks = files.some(({ table }) => table === 'broader-occupations');
  return createTableSource({
    format: 'esco',
    dataset: options.dataset,
    title: `ESCO (${langs.join(', ')})`,
    fingerprint: `${source.fingerprint}:${langs.join()}`,
    plans: await Promise.all(files.map((file) => plan(file, hasOccupationLinks))),
    notes: noteFiles(
      'ESCO',
      listMissing(files, langs),
      source.files.filter((file) => recognise(file) === null).map(({ name }) => name),
    ),
  });
}

async function plan({ table, lang, file }: EscoFile, hasOccupationLinks: boolean): Promise<TablePlan> {
  if (lang !== null && (table === 'skills' || table === 'occupations' || table === 'groups' || table === 'hierarchy'))
    return {
      table: await openDelimitedTable(file, { columns: escoLabelColumns[table] }),
      covers: `labels:${lang}:${table}`,
      createReader: () => readEscoLabels(table, { lang, hasOccupationLinks }),
    };
  const links = table as keyof typeof escoLinkColumns;
  return {
    table: await openDelimitedTable(file, { columns: escoLinkColumns[links] }),
    covers: `links:${links}:`,
    createReader: () => readEscoLinks(links),
  };
}

function listMissing(files: readonly EscoFile[], langs: readonly string[]): string[] {
  const has = (table: EscoTable, lang: string | null) =>
    files.some((file) => file.table === table && file.lang === lang);
  return Object.entries(tables).flatMap(([name, table]) =>
    withLanguage.has(table)
      ? langs.filter((lang) => !has(table, lang)).map((lang) => `${name}_${lang}.csv`)
      : has(table, null)
        ? []
        : [`${name}.csv`],
  );
}

function refuseMissing(available: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.filter((lang) => !available.includes(lang));
  if (available.length > 0 && missing.length === 0) return;
  const message =
    available.length === 0
      ? 'No file of ESCO is here. Name the folder or the ZIP file with skills_en.csv, occupations_en.csv and the others as the ESCO download has them.'
      : `ESCO is not here in ${missing.join(', ')}, only in ${available.join(', ')}. Choose other languages, or download these too.`;
  throw new AppError('IMPORT_INVALID', message);
}

/** The files, labels before links; of several versions, the newest by names of folders. */
function chooseEscoFiles(files: readonly SourceFile[], langs: readonly string[]): EscoFile[] {
  const chosen = new Map<string, EscoFile>();
  const sorted = files.toSorted((a, b) => byFolder.compare(a.path, b.path));
  for (const escoFile of sorted.map(recognise)) {
    if (escoFile === null) continue;
    if (escoFile.lang !== null && langs.length > 0 && !langs.includes(escoFile.lang)) continue;
    chosen.set(`${escoFile.table}:${escoFile.lang ?? ''}`, escoFile);
  }
  const order = Object.values(tables);
  return [...chosen.values()].sort((a, b) => order.indexOf(a.table) - order.indexOf(b.table));
}

function recognise(file: SourceFile): EscoFile | null {
  const [, name = '', lang] = /^([a-z]+?)(?:_([a-z]{2}))?\.csv$/i.exec(file.name) ?? [];
  const table = tableByName.get(name.toLowerCase());
  if (table === undefined) return null;
  if (!withLanguage.has(table)) return { table, lang: null, file };
  return lang === undefined ? null : { table, lang: lang.toLowerCase(), file };
}
