import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import { openTable } from '../tables/open-table.ts';
import type { RowReader } from '../tables/row-reader.ts';
import { createTableSource, noteFiles, type TablePlan } from '../tables/table-source.ts';
import {
  readCompetences,
  readDefinitions,
  readOccupations,
  readRomeEscoMapping,
  readRomeJobTitles,
  readRomeLinks,
} from './read-rome.ts';

interface RomeTable {
  /** Matches the result of `simplifyName`. */
  readonly name: RegExp;
  readonly covers: readonly string[];
  readonly columns: ColumnSpec;
  readonly headerHas?: string;
  createReader(): RowReader;
}

const mapping = ['classification 1 ID', 'classification 2 ID', 'mapping relation'];

/** The skills of each occupation. Version 4 also has them in the coherence file. */
const LINKS = /^(?:correspondances?|liens_rome_referentiels)$/;
const COHERENCE = /^coherence_items?$/;

/** The tables of version 3, which have short names, and of version 4, which have the names of
 *  France Travail. The first table whose `name` matches a file reads it. */
const tables: readonly RomeTable[] = [
  {
    name: /esco/,
    covers: ['links:esco:'],
    columns: { required: mapping, optional: [] },
    headerHas: 'mapping relation',
    createReader: readRomeEscoMapping,
  },
  {
    name: /^(?:metiers?|cr_gd_dp)$/,
    covers: ['labels:fr', 'domain:'],
    columns: {
      required: ['code_rome', 'libelle_rome'],
      optional: [
        'code_grand_domaine',
        'libelle_grand_domaine',
        'code_domaine_professionel',
        'libelle_domaine_professionel',
      ],
      aliases: {
        code_domaine_professionel: 'code_domaine_professionnel',
        libelle_domaine_professionel: 'libelle_domaine_professionnel',
      },
    },
    createReader: () => readOccupations('labels:fr'),
  },
  {
    // This table has no domains; the table above has them.
    name: /^referentiel_code_rome$/,
    covers: ['name:fr'],
    columns: { required: ['code_rome', 'libelle_rome'], optional: [] },
    createReader: () => readOccupations('name:fr'),
  },
  {
    name: /^(?:referentiel_)?appellations?$/,
    covers: ['title:'],
    columns: {
      required: ['code_ogr', 'libelle_appellation_long', 'code_rome'],
      optional: ['libelle_appellation_court'],
    },
    createReader: readRomeJobTitles,
  },
  {
    name: /^(?:referentiel_)?competences?$/,
    covers: ['competence:'],
    columns: {
      required: ['code_ogr', 'libelle'],
      optional: ['code_type_referentiel'],
      aliases: { libelle: 'libelle_competence' },
    },
    createReader: () => readCompetences('competence:fr', 'skill'),
  },
  {
    name: /^(?:referentiel_)?savoirs?$/,
    covers: ['savoir:'],
    columns: {
      required: ['code_ogr', 'libelle'],
      optional: [],
      aliases: { code_ogr: 'code_ogr_savoir', libelle: 'libelle_savoir' },
    },
    createReader: () => readCompetences('savoir:fr', 'topic'),
  },
  {
    name: /^(?:definitions?|textes?)$/,
    covers: ['definition:'],
    columns: {
      required: ['code_rome', 'libelle_texte'],
      optional: ['code_type_texte', 'libelle_type_texte', 'position_libelle_txt'],
      aliases: { position_libelle_txt: 'position_phrase' },
    },
    createReader: readDefinitions,
  },
  {
    name: LINKS,
    covers: ['links:essential:'],
    columns: { required: ['code_rome', 'code_ogr'], optional: ['code_compo_bloc'] },
    createReader: readRomeLinks,
  },
];

/** Opens the CSV files of ROME, and the mapping to ESCO if it is there. Errors: IMPORT_INVALID. */
export async function openRomeSource(source: SourceFiles, dataset: string): Promise<ImportSource> {
  // Only the file of links is complete: the coherence file is read without it.
  const hasLinks = source.files.some((file) => LINKS.test(simplifyName(file)));
  const files = source.files.flatMap((file) => {
    const name = simplifyName(file);
    const table = tables.find((each) => each.name.test(!hasLinks && COHERENCE.test(name) ? 'correspondances' : name));
    return table === undefined ? [] : [{ file, table }];
  });
  const inOrder = files.toSorted((a, b) => orderOf(a.table) - orderOf(b.table));
  if (!inOrder.some(({ table }) => /:fr$/.test(table.covers[0] ?? '')))
    throw new AppError(
      'IMPORT_INVALID',
      'No file of the occupations of ROME (metiers.csv, or unix_referentiel_code_rome_….csv) is here. Name the folder or the ZIP file that has it, with the others of the download.',
    );
  const read = new Set(files.map(({ file }) => file.path));
  return createTableSource({
    format: 'rome',
    dataset,
    title: 'ROME',
    fingerprint: source.fingerprint,
    covers: [...new Set(inOrder.flatMap(({ table }) => table.covers))],
    plans: await Promise.all(inOrder.map(({ table, file }) => createPlan(table, file))),
    notes: noteFiles(
      'ROME',
      [],
      source.files.filter(({ path }) => !read.has(path)).map(({ name }) => name),
    ),
  });
}

async function createPlan(
  { columns, headerHas, covers, createReader }: RomeTable,
  file: SourceFile,
): Promise<TablePlan> {
  const header = headerHas === undefined ? {} : { headerHas };
  return { table: await openTable(file, { columns, ...header }), covers: covers[0] ?? '', createReader };
}

/** Sorts the tables: occupations first, the mapping last. */
const orderOf = (table: RomeTable): number =>
  table.createReader === readRomeEscoMapping ? tables.length : tables.indexOf(table);

/** `unix_referentiel_savoir_v460_utf8.csv` → `referentiel_savoir`. */
function simplifyName({ name }: SourceFile): string {
  const [, plain = ''] = /^(?:unix_)?(.+?)(?:_v\d+)?(?:_utf8)?\.(?:csv|txt|xlsx)$/.exec(name.toLowerCase()) ?? [];
  return plain;
}
