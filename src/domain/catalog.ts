/** Kinds of records; each refers only to earlier kinds. */
export const catalogKinds = ['provider', 'object', 'concept'] as const;
export type CatalogKind = (typeof catalogKinds)[number];

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly logos: readonly Logo[];
  readonly url: string;
  /** Licence or branding page; absent if unknown. */
  readonly license?: string;
}

export interface Logo {
  readonly url: string;
  readonly colorScheme: 'dark' | 'light';
  readonly aspectRatio: 'landscape' | 'square';
}

/** An entry of the type, Bloom or language list: the value to filter by and its meaning. */
export type ListEntry = { readonly value: string; readonly description: string };

/** The content of one source row for one record. A source may describe a record in several places
 *  (one file of labels for each language, another of links): all parts with the same key make up
 *  the record. So a source of any size can be read row by row. */
export interface CatalogPart {
  readonly kind: CatalogKind;
  /** ID of a provider or a concept, or address of an object. */
  readonly key: string;
  /** Unique within the record and its source: `labels:fr`; empty for a record of one part. */
  readonly part: string;
  /** Plain JSON: a record, or some fields of a concept. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The external index of learning objects, and its state. */
export interface CatalogPlace {
  /** `host:port`. */
  readonly nodes: readonly string[];
  /** Why searches fail now; null if the last request succeeded. */
  readonly away: CatalogTrouble | null;
  /** Why searches use the previous version instead of the latest one; null if they do not. */
  readonly behind: CatalogTrouble | null;
  /** Whether this host is storing a version there. */
  readonly isFilling: boolean;
}

export type CatalogTrouble = { readonly problem: string; readonly since: Date };

/** Counts, the largest first; ties in the order of the names. */
export interface CatalogCounts {
  readonly providers: Counts;
  /** One object may have several. */
  readonly types: Counts;
  /** Learning objects by two-letter code. */
  readonly languages: Counts;
  readonly taxonomies: Counts;
}

export type Counts = ReadonlyMap<string, number>;

export const importFormats = [
  'esco',
  'onet',
  'rome',
  'taxonomy',
  'crosswalk',
  'objects',
  'feed',
  'oai',
  'lrmi',
] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Name of the data set of all synonyms that administrators add. */
export const SYNONYMS = 'synonyms';

/** Returns the taxonomy of a term's source, which names synonyms separately.
 *  @example toTaxonomyName('Skilldock synonyms') // 'Skilldock' */
export const toTaxonomyName = (source: string): string => source.replace(/ synonyms$/, '');

export interface ImportChoices {
  /** Field names by the column names in the file; empty for an ignored column. */
  readonly map?: Readonly<Record<string, string>>;
  /** Sheet of a workbook; the first when absent. */
  readonly sheet?: string;
}

/** Formats in which each row is one learning object. In others a concept may have several rows. */
export const objectFormats: ReadonlySet<ImportFormat> = new Set(['objects', 'feed', 'oai', 'lrmi']);

/** `running` until all is read; `checked`: read to its end, waits for approval; `live`: in use;
 *  `unchanged`: nothing was new; `undone`: was live; `replaced`: was live, and later imports
 *  replaced all of it. */
export type ImportState = 'running' | 'checked' | 'live' | 'unchanged' | 'stopped' | 'failed' | 'undone' | 'replaced';

/** How often an address is imported automatically. */
export const importRhythms = ['daily', 'weekly'] as const;
export type ImportRhythm = (typeof importRhythms)[number];

/** Numbers of objects or concepts; `rows`, `rejected`, `kept`, `leftOut` and `warned` are numbers
 *  of rows. Of learning objects, rows = added + changed + unchanged + rejected + left out. */
export interface ImportCounts {
  readonly rows: number;
  readonly rejected: number;
  /** Rejected rows of objects whose earlier state stays in the data set; absent in old imports. */
  readonly kept?: number;
  /** Ignored on purpose: duplicates, deleted at the source, trailers; absent in old imports. */
  readonly leftOut?: number;
  /** Rows used with a guess, or without an unreadable value. */
  readonly warned: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Records of this data set that are no longer in the source. */
  readonly removed: number;
}

export interface Topic {
  /** Code of a field of ISCED-F, or ID of a concept. */
  readonly id: string;
  readonly kind: 'field' | 'skill';
  /** Labels by language. */
  readonly labels: Readonly<Record<string, string>>;
  /** IDs of the broad field of a narrow one, or of the fields of a skill. */
  readonly within: readonly string[];
}

/** Languages and literature in ISCED-F. */
export const LANGUAGES_FIELD = '023';
/** Stands for all objects without a field. */
export const OTHER_FIELD = '99';
