import { readEscoConceptId, refuseConcept, toConcept, toConceptAltLabels, toConceptLinks } from '../concept-parts.ts';
import {
  createRecentRows,
  joinRowOutcomes,
  leftOut,
  type Outcome,
  type RowReader,
  readEachRow,
  readRowsInRuns,
  readTableCell,
  refuseRow,
  type SourceRow,
} from '../tables/row-reader.ts';

const source = 'ROME';
const badRome = 'code_rome is not of the form A1101';
const badOgr = 'code_ogr is not a whole number';

/** Occupations with a ROME code, and their domains; each domain is given once.
 *  @param part name of the part of an occupation */
export function readOccupations(part: string): RowReader {
  const seen = createRecentRows<true>();
  const domain = (code: string, label: string, above: string | null): Outcome[] => {
    if (code === '' || label === '' || seen.swap(code, true) !== undefined) return [];
    const links = above === null ? {} : { links: { broader: [above] } };
    return [toConcept(`rome:${code}`, 'domain:fr', { source, kind: 'domain', labels: { fr: label }, ...links })];
  };
  return readEachRow(({ fields }) => {
    const id = romeId(fields.code_rome);
    const label = readTableCell(fields.libelle_rome);
    if (id === null) return refuseRow(badRome);
    if (label === '') return refuseConcept(id, part, 'libelle_rome is empty');
    const [wide, narrow] = [readTableCell(fields.code_grand_domaine), readTableCell(fields.code_domaine_professionel)];
    const above = narrow || wide;
    return joinRowOutcomes([
      ...domain(wide, readTableCell(fields.libelle_grand_domaine), null),
      ...domain(narrow, readTableCell(fields.libelle_domaine_professionel), wide === '' ? null : `rome:${wide}`),
      toConcept(id, part, {
        source,
        kind: 'occupation',
        labels: { fr: label },
        ...(above === '' ? {} : { links: { broader: [`rome:${above}`] } }),
      }),
    ]);
  });
}

/** Titles of jobs, each below its occupation. */
export function readRomeJobTitles(): RowReader {
  return readEachRow(({ fields }) => {
    const id = ogrId(fields.code_ogr);
    const above = romeId(fields.code_rome);
    const label = readTableCell(fields.libelle_appellation_long);
    if (id === null) return refuseRow(badOgr);
    if (above === null) return refuseConcept(id, 'title:fr', badRome);
    if (label === '') return refuseConcept(id, 'title:fr', 'libelle_appellation_long is empty');
    return toConcept(id, 'title:fr', {
      source,
      kind: 'occupation',
      labels: { fr: label },
      ...toConceptAltLabels('fr', [readTableCell(fields.libelle_appellation_court)], label),
      links: { broader: [above] },
    });
  });
}

/** Of `code_type_referentiel`: places and fields of work, which stand among the competences. */
const SETTING = '5';

/** The file has a competence once for each heading that it is under; it is given once. */
export function readCompetences(part: string, otherwise: 'skill' | 'topic'): RowReader {
  const seen = createRecentRows<true>();
  return readEachRow(({ fields }) => {
    const id = ogrId(fields.code_ogr);
    const label = readTableCell(fields.libelle);
    if (id === null) return refuseRow(badOgr);
    if (label === '') return refuseConcept(id, part, 'libelle is empty');
    if (seen.swap(id, true) !== undefined) return leftOut;
    const kind = readTableCell(fields.code_type_referentiel) === SETTING ? 'domain' : otherwise;
    return toConcept(id, part, { source, kind, labels: { fr: label } });
  });
}

/** What an occupation is; a text of several paragraphs has a row for each. */
export function readDefinitions(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      const key = romeId(fields.code_rome);
      if (key === null) return badRome;
      if (!isDefinition(fields)) return null;
      // Apostrophes are doubled in the files.
      const text = readTableCell(fields.libelle_texte).replaceAll("''", "'");
      return text === ''
        ? 'libelle_texte is empty'
        : { key, value: `${readTableCell(fields.position_libelle_txt)}\t${text}` };
    },
    (id, rows) => {
      const sorted = rows.map((row) => row.split('\t', 2)).sort(([a], [b]) => Number(a) - Number(b));
      const text = sorted.map(([, paragraph]) => paragraph).join('\n');
      return toConcept(id, 'definition:fr', { description: { fr: text } });
    },
  );
}

function isDefinition(fields: SourceRow['fields']): boolean {
  const type = readTableCell(fields.libelle_type_texte);
  const code = readTableCell(fields.code_type_texte);
  return type === '' ? code === '' || code === '1' : type.toLowerCase() === 'definition';
}

/** Of `code_compo_bloc`: the others are the occupation itself, its titles, texts and settings. */
const NEEDS = '5';

export function readRomeLinks(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      if ((readTableCell(fields.code_compo_bloc) || NEEDS) !== NEEDS) return null;
      const key = romeId(fields.code_rome);
      const value = ogrId(fields.code_ogr);
      if (key === null) return badRome;
      return value === null ? badOgr : { key, value };
    },
    (id, targets) => toConceptLinks(id, 'essential', { prefix: 'links:essential:', targets }),
  );
}

/** Either side of the mapping may be ROME. */
export function readRomeEscoMapping(): RowReader {
  return readEachRow(({ fields }) => {
    const sides = [readTableCell(fields['classification 1 ID']), readTableCell(fields['classification 2 ID'])];
    const esco = sides.map(readEscoConceptId).find((id) => id !== null);
    const rome = sides.map((side) => ogrId(side) ?? romeId(side)).find((id) => id !== null);
    if (esco === undefined || esco === null)
      return refuseRow('no address of ESCO, http://data.europa.eu/esco/…, is in it');
    if (rome === undefined || rome === null) return refuseRow('no code of ROME is in it');
    const link = /exactMatch$/.test(readTableCell(fields['mapping relation'])) ? 'sameAs' : 'related';
    return toConceptLinks(rome, link, { prefix: 'links:esco:', targets: [esco] });
  });
}

function romeId(code: unknown): string | null {
  const text = readTableCell(code);
  return /^[A-Z]\d{4}$/.test(text) ? `rome:${text}` : null;
}

function ogrId(code: unknown): string | null {
  const text = readTableCell(code);
  return /^\d{1,9}$/.test(text) ? `rome:${text}` : null;
}
