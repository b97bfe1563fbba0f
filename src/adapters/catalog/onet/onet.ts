import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import { openDelimitedTable } from '../tables/delimited-table.ts';
import type { RowReader } from '../tables/row-reader.ts';
import { createTableSource, type TablePlan } from '../tables/table-source.ts';
import {
  readAlternateTitles,
  readOccupations,
  readRelatedOccupations,
  readTechnologies,
} from './read-onet.ts';

interface OnetTable {
  /** Of the file, in lower case, with `_` for blanks, without its ending. */
  readonly name: string;
  readonly covers: string;
  readonly columns: ColumnSpec;
  createReader(): RowReader;
}

const code = 'O*NET-SOC Code';

const tables: readonly OnetTable[] = [
  {
    name: 'occupation_data',
    covers: 'labels:en',
    columns: { required: [code, 'Title'], optional: ['Description'] },
    createReader: readOccupations,
  },
  {
    name: 'alternate_titles',
    covers: 'titles:',
    columns: { required: [code, 'Alternate Title'], optional: ['Short Title'] },
    createReader: readAlternateTitles,
  },
  {
    name: 'technology_skills',
    covers: 'tech:',
    columns: { required: [code, 'Example', 'Commodity Code', 'Commodity Title'], optional: [] },
    createReader: readTechnologies,
  },
  {
    name: 'related_occupations',
    covers: 'links:related:',
    columns: { required: [code, 'Related O*NET-SOC Code'], optional: ['Relatedness Tier'] },
    createReader: readRelatedOccupations,
  },
];

/** O*NET in the layout of its text files, tab-separated. Only the occupations must be there.
 *  Source: https://www.onetcenter.org/database.html. Errors: IMPORT_INVALID. */
export async function openOnetSource(source: SourceFiles, dataset: string): Promise<ImportSource> {
  const plans: TablePlan[] = [];
  for (const { name, columns, ...table } of tables) {
    const file = source.files.find((each) => plainName(each.name) === name);
    if (file === undefined) continue;
    plans.push({
      ...table,
      table: await openDelimitedTable(file, { columns, delimiter: '\t', hasQuotes: false }),
    });
  }
  if (plans[0]?.covers !== tables[0]?.covers)
    throw new AppError(
      'IMPORT_INVALID',
      'Occupation Data.txt of O*NET is not here. Name the folder or the ZIP file of the text files ("Text" in the O*NET download).',
    );
  return createTableSource({
    format: 'onet',
    dataset,
    title: 'O*NET',
    fingerprint: source.fingerprint,
    plans,
  });
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.(?:txt|tsv)$/, '')
    .replace(/[\s_-]+/g, '_');
}
