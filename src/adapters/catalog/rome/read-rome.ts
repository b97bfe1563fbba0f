import { altLabelsOf, escoIdOf, refusedConcept, toConcept, toLinks } from '../concept-parts.ts';
import {
  createRecent,
  eachRow,
  inRuns,
  joinOutcomes,
  type Outcome,
  type RowReader,
  refused,
} from '../tables/row-reader.ts';
import { type SourceRow, textOf } from '../tables/table.ts';

const source = 'ROME';
const badRome = 'code_rome is not of the form A1101';
const badOgr = 'code_ogr is not a whole number';

/** Occupations with a code of ROME, and the domains that they are of; each domain is told of once. */
export function readOccupations(): RowReader {
  const told = createRecent<true>();
  const domain = (code: string, label: string, above: string | null): Outcome[] => {
    if (code === '' || label === '' || told.swap(code, true) !== undefined) return [];
    const links = above === null ? {} : { links: { broader: [above] } };
    return [
      toConcept(`rome:${code}`, 'domain:fr', { source, kind: 'domain', labels: { fr: label }, ...links }),
    ];
  };
  return eachRow(({ fields }) => {
    const id = romeId(fields.code_rome);
    const label = textOf(fields.libelle_rome);
    if (id === null) return refused(badRome);
    if (label === '') return refusedConcept(id, 'labels:fr', 'libelle_rome is empty');
    const [wide, narrow] = [textOf(fields.code_grand_domaine), textOf(fields.code_domaine_professionel)];
    const above = narrow || wide;
    return joinOutcomes([
      ...domain(wide, textOf(fields.libelle_grand_domaine), null),
      ...domain(narrow, textOf(fields.libelle_domaine_professionel), wide === '' ? null : `rome:${wide}`),
      toConcept(id, 'labels:fr', {
        source,
        kind: 'occupation',
        labels: { fr: label },
        ...(above === '' ? {} : { links: { broader: [`rome:${above}`] } }),
      }),
    ]);
  });
}

/** Titles of jobs, each below the occupation that it is of. */
export function readJobTitles(): RowReader {
  return eachRow(({ fields }) => {
    const id = ogrId(fields.code_ogr);
    const above = romeId(fields.code_rome);
    const label = textOf(fields.libelle_appellation_long);
    if (id === null) return refused(badOgr);
    if (above === null) return refusedConcept(id, 'title:fr', badRome);
    if (label === '') return refusedConcept(id, 'title:fr', 'libelle_appellation_long is empty');
    return toConcept(id, 'title:fr', {
      source,
      kind: 'occupation',
      labels: { fr: label },
      ...altLabelsOf('fr', [textOf(fields.libelle_appellation_court)], label),
      links: { broader: [above] },
    });
  });
}

/** Of `code_type_referentiel`: places and fields of work, which stand among the competences. */
const SETTING = '5';

/** A competence stands in the file once for each heading that it is under; it is told of once. */
export function readCompetences(): RowReader {
  const told = createRecent<true>();
  return eachRow(({ fields }) => {
    const id = ogrId(fields.code_ogr);
    const label = textOf(fields.libelle);
    if (id === null) return refused(badOgr);
    if (label === '') return refusedConcept(id, 'competence:fr', 'libelle is empty');
    if (told.swap(id, true) !== undefined) return { parts: [] };
    const kind = textOf(fields.code_type_referentiel) === SETTING ? 'domain' : 'skill';
    return toConcept(id, 'competence:fr', { source, kind, labels: { fr: label } });
  });
}

/** What an occupation is; a text of several paragraphs has a row for each. */
export function readDefinitions(): RowReader {
  return inRuns<string>(
    ({ fields }) => {
      const key = romeId(fields.code_rome);
      if (key === null) return badRome;
      if (!isDefinition(fields)) return null;
      // Apostrophes are doubled in the files.
      const text = textOf(fields.libelle_texte).replaceAll("''", "'");
      return text === ''
        ? 'libelle_texte is empty'
        : { key, value: `${textOf(fields.position_libelle_txt)}\t${text}` };
    },
    (id, rows) => {
      const sorted = rows.map((row) => row.split('\t', 2)).sort(([a], [b]) => Number(a) - Number(b));
      const text = sorted.map(([, paragraph]) => paragraph).join('\n');
      return toConcept(id, 'definition:fr', { description: { fr: text } });
    },
  );
}

function isDefinition(fields: SourceRow['fields']): boolean {
  const type = textOf(fields.libelle_type_texte);
  const code = textOf(fields.code_type_texte);
  return type === '' ? code === '' || code === '1' : type.toLowerCase() === 'definition';
}

export function readLinks(): RowReader {
  return inRuns<string>(
    ({ fields }) => {
      const key = romeId(fields.code_rome);
      const value = ogrId(fields.code_ogr);
      if (key === null) return badRome;
      return value === null ? badOgr : { key, value };
    },
    (id, targets) => toLinks(id, 'essential', { prefix: 'links:essential:', targets }),
  );
}

/** Either side of the mapping may be ROME. */
export function readEscoMapping(): RowReader {
  return eachRow(({ fields }) => {
    const sides = [textOf(fields['classification 1 ID']), textOf(fields['classification 2 ID'])];
    const esco = sides.map(escoIdOf).find((id) => id !== null);
    const rome = sides.map((side) => ogrId(side) ?? romeId(side)).find((id) => id !== null);
    if (esco === undefined || esco === null)
      return refused('no address of ESCO, http://data.europa.eu/esco/…, is in it');
    if (rome === undefined || rome === null) return refused('no code of ROME is in it');
    const link = /exactMatch$/.test(textOf(fields['mapping relation'])) ? 'sameAs' : 'related';
    return toLinks(rome, link, { prefix: 'links:esco:', targets: [esco] });
  });
}

function romeId(code: unknown): string | null {
  const text = textOf(code);
  return /^[A-Z]\d{4}$/.test(text) ? `rome:${text}` : null;
}

function ogrId(code: unknown): string | null {
  const text = textOf(code);
  return /^\d{3,9}$/.test(text) ? `rome:${text}` : null;
}
