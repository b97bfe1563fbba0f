/** Namespaces of the vocabularies in which taxonomies are published. */
export const SKOS = 'http://www.w3.org/2004/02/skos/core#';
export const ESCO = 'http://data.europa.eu/esco/model#';
export const DCT = 'http://purl.org/dc/terms/';

/** Open licences of published taxonomies by name. A licence is never guessed. */
const licences = new Map(
  Object.entries({
    Skilldock: 'https://www.apache.org/licenses/LICENSE-2.0',
    // Reuse notice of the report EUR 31006 EN.
    'DigComp 2.2': 'https://creativecommons.org/licenses/by/4.0/',
    // Decision 2011/833/EU on the reuse of Commission documents.
    ESCO: 'http://data.europa.eu/eli/dec/2011/833/oj',
    'O*NET': 'https://creativecommons.org/licenses/by/4.0/',
    ROME: 'https://www.etalab.gouv.fr/licence-ouverte-open-licence/',
  }),
);

/** Returns the address of the licence under which a taxonomy may be shared; null if not listed. */
export const findTaxonomyLicense = (name: string): string | null => licences.get(name) ?? null;
