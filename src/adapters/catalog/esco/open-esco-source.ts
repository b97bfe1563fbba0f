import { AppError } from '../../../errors.ts';
import type { ImportSource } from '../../../ports/imports.ts';
import { openDelimitedTable } from '../delimited-table.ts';
import type { SourceFiles } from '../source-files.ts';
import { createTableSource, type TablePlan } from '../table-source.ts';
import { chooseEscoFiles, type EscoFile } from './esco-files.ts';
import { escoLabelColumns, readEscoLabels } from './read-esco-labels.ts';
import { escoLinkColumns, readEscoLinks } from './read-esco-links.ts';

export interface OfficialOptions {
  readonly dataset: string;
  readonly langs: readonly string[];
}

/** ESCO in the layout of its official CSV download: labels of each language, and the links between its concepts. ISCO groups
 *  are not read: occupations are linked with those of the starter taxonomy.
 *  Source: https://esco.ec.europa.eu/en/use-esco/download. Errors: IMPORT_INVALID. */
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
  });
}

async function plan({ table, lang, file }: EscoFile, hasOccupationLinks: boolean): Promise<TablePlan> {
  if (
    lang !== null &&
    (table === 'skills' || table === 'occupations' || table === 'groups' || table === 'hierarchy')
  )
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

function refuseMissing(found: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.filter((lang) => !found.includes(lang));
  if (found.length > 0 && missing.length === 0) return;
  const message =
    found.length === 0
      ? 'No file of ESCO is here. Name the folder or the ZIP file with skills_en.csv, occupations_en.csv and the others as the ESCO download has them.'
      : `ESCO is not here in ${missing.join(', ')}, only in ${found.join(', ')}. Choose other languages, or download these too.`;
  throw new AppError('IMPORT_INVALID', message);
}
