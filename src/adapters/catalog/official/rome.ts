import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import { openDelimitedTable } from '../tables/delimited-table.ts';
import type { RowReader } from '../tables/row-reader.ts';
import { createTableSource, type TablePlan } from '../tables/table-source.ts';
import {
  readCompetences,
  readDefinitions,
  readOccupations,
  readRomeEscoMapping,
  readRomeJobTitles,
  readRomeLinks,
} from './read-rome.ts';

interface RomeTable {
  /** Of the file's name, without its ending. */
  readonly name: RegExp;
  readonly covers: readonly string[];
  readonly columns: ColumnSpec;
  readonly headerHas?: string;
  createReader(): RowReader;
}

const mapping = ['classification 1 ID', 'classification 2 ID', 'mapping relation'];

/** The one whose name fits first, so that the mapping is not taken for anything else. */
const tables: readonly RomeTable[] = [
  {
    name: /esco/,
    covers: ['links:esco:'],
    columns: { required: mapping, optional: [] },
    headerHas: 'mapping relation',
    createReader: readRomeEscoMapping,
  },
  {
    name: /metier|referentiel_code_rome/,
    covers: ['labels:fr', 'domain:'],
    columns: {
      required: ['code_rome', 'libelle_rome'],
      optional: [
        'code_grand_domaine',
        'libelle_grand_domaine',
        'code_domaine_professionel',
        'libelle_domaine_professionel',
      ],
    },
    createReader: readOccupations,
  },
  {
    name: /appellation/,
    covers: ['title:'],
    columns: {
      required: ['code_ogr', 'libelle_appellation_long', 'code_rome'],
      optional: ['libelle_appellation_court'],
    },
    createReader: readRomeJobTitles,
  },
  {
    name: /competence/,
    covers: ['competence:'],
    columns: {
      required: ['code_ogr', 'libelle'],
      optional: ['code_type_referentiel'],
      aliases: { libelle_competence: 'libelle' },
    },
    createReader: readCompetences,
  },
  {
    name: /definition|texte/,
    covers: ['definition:'],
    columns: {
      required: ['code_rome', 'libelle_texte'],
      optional: ['code_type_texte', 'libelle_type_texte', 'position_libelle_txt'],
    },
    createReader: readDefinitions,
  },
  {
    name: /correspondance|coherence|lien/,
    covers: ['links:essential:'],
    columns: { required: ['code_rome', 'code_ogr'], optional: [] },
    createReader: readRomeLinks,
  },
];

/** ROME of France Travail as CSV files, and its mapping to occupations of ESCO where it is there.
 *  To have ROME without the mapping, leave its file out. Errors: IMPORT_INVALID. */
export async function openRomeSource(source: SourceFiles, dataset: string): Promise<ImportSource> {
  const files = source.files.flatMap((file) => {
    const table = tables.find(({ name }) => name.test(plainName(file)));
    return table === undefined ? [] : [{ file, table }];
  });
  const inOrder = files.toSorted((a, b) => orderOf(a.table) - orderOf(b.table));
  if (!inOrder.some(({ table }) => table.createReader === readOccupations))
    throw new AppError(
      'IMPORT_INVALID',
      'No file of the occupations of ROME (metiers.csv) is here. Name the folder or the ZIP file that has it, with appellations.csv, competences.csv and the others.',
    );
  return createTableSource({
    format: 'rome',
    dataset,
    title: 'ROME',
    fingerprint: source.fingerprint,
    covers: [...new Set(inOrder.flatMap(({ table }) => table.covers))],
    plans: await Promise.all(inOrder.map(({ table, file }) => plan(table, file))),
  });
}

async function plan(
  { columns, headerHas, covers, createReader }: RomeTable,
  file: SourceFile,
): Promise<TablePlan> {
  const header = headerHas === undefined ? {} : { headerHas };
  return {
    table: await openDelimitedTable(file, { columns, ...header }),
    covers: covers[0] ?? '',
    createReader,
  };
}

/** Occupations first and the mapping last. */
function orderOf(table: RomeTable): number {
  return table.createReader === readRomeEscoMapping ? tables.length : tables.indexOf(table);
}

function plainName({ name }: SourceFile): string {
  return /\.(?:csv|txt)$/i.test(name) ? name.toLowerCase() : '';
}
