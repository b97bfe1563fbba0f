import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import { readEscoConceptId, refuseConcept, toConcept, toConceptAltLabels, toConceptLinks } from '../concept-parts.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import { openTable } from '../tables/open-table.ts';
import type { RowOutcome, RowReader, SourceRow } from '../tables/row-reader.ts';
import {
  createRecentValues,
  joinRowOutcomes,
  leftOut,
  readEachRow,
  readRowCell,
  readRowsInRuns,
  refuseRow,
} from '../tables/row-reader.ts';
import { createTableSource, noteFiles, type TablePlan } from '../tables/table-source.ts';

interface RomeTable {
  /** Matches a file name that `simplifyRomeName` has simplified. */
  readonly name: RegExp;
  readonly covers: readonly string[];
  readonly columns: ColumnSpec;
  readonly headerHas?: string;
  createReader(): RowReader;
}

const mappingColumns = ['classification 1 ID', 'classification 2 ID', 'mapping relation'];

/** Files of the skills of each occupation, which version 4 also has in the coherence file. */
const LINKS = /^(?:correspondances?|liens_rome_referentiels)$/;
const COHERENCE = /^coherence_items?$/;

/** Short names are of version 3, long ones of version 4. The first matching table counts. */
const tables: readonly RomeTable[] = [
  {
    name: /esco/,
    covers: ['links:esco:'],
    columns: { required: mappingColumns, optional: [] },
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
        code_domaine_professionel: ['code_domaine_professionnel'],
        libelle_domaine_professionel: ['libelle_domaine_professionnel'],
      },
    },
    createReader: () => readRomeOccupations('labels:fr'),
  },
  {
    name: /^referentiel_code_rome$/,
    covers: ['name:fr'],
    columns: { required: ['code_rome', 'libelle_rome'], optional: [] },
    createReader: () => readRomeOccupations('name:fr'),
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
      aliases: { libelle: ['libelle_competence'] },
    },
    createReader: () => readRomeCompetences('competence:fr', 'skill'),
  },
  {
    name: /^(?:referentiel_)?savoirs?$/,
    covers: ['savoir:'],
    columns: {
      required: ['code_ogr', 'libelle'],
      optional: [],
      aliases: { code_ogr: ['code_ogr_savoir'], libelle: ['libelle_savoir'] },
    },
    createReader: () => readRomeCompetences('savoir:fr', 'topic'),
  },
  {
    name: /^(?:definitions?|textes?)$/,
    covers: ['definition:'],
    columns: {
      required: ['code_rome', 'libelle_texte'],
      optional: ['code_type_texte', 'libelle_type_texte', 'position_libelle_txt'],
      aliases: { position_libelle_txt: ['position_phrase'] },
    },
    createReader: readRomeDefinitions,
  },
  {
    name: LINKS,
    covers: ['links:essential:'],
    columns: { required: ['code_rome', 'code_ogr'], optional: ['code_compo_bloc'] },
    createReader: readRomeLinks,
  },
];

/** Opens the files of ROME, and the mapping to ESCO if there is one. Errors: IMPORT_INVALID. */
export async function openRomeSource(source: SourceFiles, dataset: string): Promise<ImportSource> {
  // Only the file of links is complete: the coherence file is read without it.
  const hasLinks = source.files.some((file) => LINKS.test(simplifyRomeName(file)));
  const files = source.files.flatMap((file) => {
    const name = simplifyRomeName(file);
    const table = tables.find((each) => each.name.test(!hasLinks && COHERENCE.test(name) ? 'correspondances' : name));
    return table === undefined ? [] : [{ file, table }];
  });
  const sorted = files.toSorted((a, b) => rankRomeTable(a.table) - rankRomeTable(b.table));
  if (!sorted.some(({ table }) => /:fr$/.test(table.covers[0] ?? '')))
    throw new AppError(
      'IMPORT_INVALID',
      'No file of the occupations of ROME (metiers.csv, or unix_referentiel_code_rome_….csv) is here. Name the folder or the ZIP file that has it, with the others of the download.',
    );
  const readPaths = new Set(files.map(({ file }) => file.path));
  const unread = source.files.filter(({ path }) => !readPaths.has(path));
  return createTableSource({
    format: 'rome',
    dataset,
    title: 'ROME',
    fingerprint: source.fingerprint,
    covers: [...new Set(sorted.flatMap(({ table }) => table.covers))],
    plans: await Promise.all(sorted.map(({ table, file }) => createRomePlan(table, file))),
    notes: noteFiles('ROME', [], unread),
  });
}

async function createRomePlan({ covers, createReader, ...options }: RomeTable, file: SourceFile): Promise<TablePlan> {
  return { table: await openTable(file, options), covers: covers[0] ?? '', createReader };
}

/** The place of a table in the order of reading: occupations first, the mapping last. */
const rankRomeTable = (table: RomeTable): number =>
  table.createReader === readRomeEscoMapping ? tables.length : tables.indexOf(table);

/** @example `unix_referentiel_savoir_v460_utf8.csv` becomes `referentiel_savoir` */
function simplifyRomeName({ name }: SourceFile): string {
  const [, plain = ''] = /^(?:unix_)?(.+?)(?:_v\d+)?(?:_utf8)?\.(?:csv|txt|xlsx)$/.exec(name.toLowerCase()) ?? [];
  return plain;
}

const SOURCE = 'ROME';
const BAD_ROME = 'code_rome is not of the form A1101';
const BAD_OGR = 'code_ogr is not a whole number';

/** Makes occupations with a ROME code, and their domains, each once.
 *  @param part the name of the parts of occupations */
function readRomeOccupations(part: string): RowReader {
  const swapRow = createRecentValues<true>();
  const toDomain = (code: string, label: string, broader: string): RowOutcome[] => {
    if (code === '' || label === '' || swapRow(code, true) !== undefined) return [];
    const domain = { source: SOURCE, kind: 'domain', labels: { fr: label }, ...toBroaderRomeLink(broader) } as const;
    return [toConcept(`rome:${code}`, 'domain:fr', domain)];
  };
  return readEachRow(({ fields }) => {
    const id = romeId(fields.code_rome);
    const label = readRowCell(fields.libelle_rome);
    if (id === null) return refuseRow(BAD_ROME);
    if (label === '') return refuseConcept(id, part, 'libelle_rome is empty');
    const broad = readRowCell(fields.code_grand_domaine);
    const narrow = readRowCell(fields.code_domaine_professionel);
    return joinRowOutcomes([
      ...toDomain(broad, readRowCell(fields.libelle_grand_domaine), ''),
      ...toDomain(narrow, readRowCell(fields.libelle_domaine_professionel), broad),
      toConcept(id, part, {
        source: SOURCE,
        kind: 'occupation',
        labels: { fr: label },
        ...toBroaderRomeLink(narrow || broad),
      }),
    ]);
  });
}

const toBroaderRomeLink = (code: string) => code !== '' && { links: { broader: [`rome:${code}`] } };

function readRomeJobTitles(): RowReader {
  return readEachRow(({ fields }) => {
    const id = ogrId(fields.code_ogr);
    const above = romeId(fields.code_rome);
    const label = readRowCell(fields.libelle_appellation_long);
    if (id === null) return refuseRow(BAD_OGR);
    if (above === null) return refuseConcept(id, 'title:fr', BAD_ROME);
    if (label === '') return refuseConcept(id, 'title:fr', 'libelle_appellation_long is empty');
    return toConcept(id, 'title:fr', {
      source: SOURCE,
      kind: 'occupation',
      labels: { fr: label },
      ...toConceptAltLabels('fr', [readRowCell(fields.libelle_appellation_court)], label),
      links: { broader: [above] },
    });
  });
}

/** The `code_type_referentiel` of places and fields of work, which are among the competences. */
const SETTING = '5';

/** Makes each competence once, as the file repeats them under several headings. */
function readRomeCompetences(part: string, usualKind: 'skill' | 'topic'): RowReader {
  const swapRow = createRecentValues<true>();
  return readEachRow(({ fields }) => {
    const id = ogrId(fields.code_ogr);
    const label = readRowCell(fields.libelle);
    if (id === null) return refuseRow(BAD_OGR);
    if (label === '') return refuseConcept(id, part, 'libelle is empty');
    if (swapRow(id, true) !== undefined) return leftOut;
    const kind = readRowCell(fields.code_type_referentiel) === SETTING ? 'domain' : usualKind;
    return toConcept(id, part, { source: SOURCE, kind, labels: { fr: label } });
  });
}

/** Joins the rows of a definition, one for each paragraph. */
function readRomeDefinitions(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      const key = romeId(fields.code_rome);
      if (key === null) return BAD_ROME;
      if (!isRomeDefinition(fields)) return null;
      // Apostrophes are doubled in the files.
      const text = readRowCell(fields.libelle_texte).replaceAll("''", "'");
      return text === ''
        ? 'libelle_texte is empty'
        : { key, value: `${readRowCell(fields.position_libelle_txt)}\t${text}` };
    },
    (id, rows) => {
      const sorted = rows.map((row) => row.split('\t', 2)).sort(([a], [b]) => Number(a) - Number(b));
      const text = sorted.map(([, paragraph]) => paragraph).join('\n');
      return toConcept(id, 'definition:fr', { description: { fr: text } });
    },
  );
}

function isRomeDefinition(fields: SourceRow['fields']): boolean {
  const type = readRowCell(fields.libelle_type_texte);
  const code = readRowCell(fields.code_type_texte);
  return type === '' ? code === '' || code === '1' : type.toLowerCase() === 'definition';
}

/** The `code_compo_bloc` of skills; further ones are of the occupation, its titles and texts. */
const SKILL_BLOCK = '5';

function readRomeLinks(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      if ((readRowCell(fields.code_compo_bloc) || SKILL_BLOCK) !== SKILL_BLOCK) return null;
      const key = romeId(fields.code_rome);
      const value = ogrId(fields.code_ogr);
      if (key === null) return BAD_ROME;
      return value === null ? BAD_OGR : { key, value };
    },
    (id, targets) => toConceptLinks(id, 'essential', { prefix: 'links:essential:', targets }),
  );
}

/** Reads a table of which either side may be ROME. */
function readRomeEscoMapping(): RowReader {
  return readEachRow(({ fields }) => {
    const sides = [readRowCell(fields['classification 1 ID']), readRowCell(fields['classification 2 ID'])];
    const esco = sides.map(readEscoConceptId).find((id) => id !== null);
    const rome = sides.map((side) => ogrId(side) ?? romeId(side)).find((id) => id !== null);
    if (esco === undefined) return refuseRow('no address of ESCO, http://data.europa.eu/esco/…, is in it');
    if (rome === undefined) return refuseRow('no code of ROME is in it');
    const link = /exactMatch$/.test(readRowCell(fields['mapping relation'])) ? 'sameAs' : 'related';
    return toConceptLinks(rome, link, { prefix: 'links:esco:', targets: [esco] });
  });
}

/** The id of an occupation, from a code such as `A1101`. */
const romeId = (cell: unknown) => toRomeId(cell, /^[A-Z]\d{4}$/);
/** The id of a title or competence, from its number. */
const ogrId = (cell: unknown) => toRomeId(cell, /^\d{1,9}$/);

function toRomeId(cell: unknown, form: RegExp): string | null {
  const text = readRowCell(cell);
  return form.test(text) ? `rome:${text}` : null;
}
