/** Kinds of records in a catalogue, in the order in which they depend on each other. */
export const catalogKinds = ['provider', 'object', 'concept'] as const;
export type CatalogKind = (typeof catalogKinds)[number];

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly logos: readonly Logo[];
  readonly url: string;
  /** Licence or branding page; absent where none is known. */
  readonly license?: string;
}

export interface Logo {
  readonly url: string;
  readonly colorScheme: 'dark' | 'light';
  readonly aspectRatio: 'landscape' | 'square';
}

/** An entry of the type, Bloom or language list: the value to filter by and what it means. */
export interface ListEntry {
  readonly value: string;
  readonly description: string;
}

/** What one row of a source says about one record. A source may describe the same record in several places (a file of labels for
 *  each language, links in another): each is a part of its own, and all parts with the same key make up the record. So a source
 *  of any size can be read row by row. */
export interface CatalogPart {
  readonly kind: CatalogKind;
  /** Of a provider its id, of an object its address, of a concept its id. */
  readonly key: string;
  /** Which of the record's parts, unique within its source: `labels:fr`, `links:essential:3`; empty where there is one only. */
  readonly part: string;
  /** Plain JSON: a record of its kind, or of a concept some of its fields. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Where learning objects are kept, if not in the host, and how that is doing. */
export interface CatalogPlace {
  /** `host:port` of each node. */
  readonly nodes: readonly string[];
  /** Why objects cannot be found now; null where the nodes answered when they were last asked. */
  readonly away: CatalogTrouble | null;
  /** Why what is imported now could not be brought there, so that the version before it is searched. */
  readonly behind: CatalogTrouble | null;
  /** Whether this host is bringing a version there. */
  readonly isFilling: boolean;
}

export interface CatalogTrouble {
  /** In words, and what to do. */
  readonly problem: string;
  readonly since: Date;
}

/** How much a catalogue has of each kind, the most first; ties in the order of the names. */
export interface CatalogCounts {
  /** Learning objects by provider id. */
  readonly providers: Counts;
  /** Learning objects by type; one may have several. */
  readonly types: Counts;
  /** Learning objects by two-letter code. */
  readonly languages: Counts;
  /** Concepts by the name of their taxonomy. */
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

/** `running` until everything is read; `checked` was read to its end and waits until somebody lets it count; `live` counts;
 *  `unchanged` found nothing new; `undone` was live once; `replaced` was live once, and later ones brought all of it anew. */
export type ImportState =
  | 'running'
  | 'checked'
  | 'live'
  | 'unchanged'
  | 'stopped'
  | 'failed'
  | 'undone'
  | 'replaced';

/** How often an address is imported again by itself. */
export const importRhythms = ['daily', 'weekly'] as const;
export type ImportRhythm = (typeof importRhythms)[number];

/** Numbers of objects or concepts, except `rows`, `rejected` and `warned`, which count rows of the source. */
export interface ImportCounts {
  readonly rows: number;
  readonly rejected: number;
  /** Used, with a guess or without what could not be read. */
  readonly warned: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Of this dataset, and no longer in the source. */
  readonly removed: number;
}

/** Something that objects are about, to browse by. */
export interface Topic {
  /** Code of a field of ISCED-F, or id of a concept. */
  readonly id: string;
  readonly kind: 'field' | 'skill';
  /** By language. */
  readonly labels: Readonly<Record<string, string>>;
  /** Ids: of a narrow field, the broad one; of a skill, its fields. */
  readonly within: readonly string[];
}

/** Code of the field of what is of no other. */
export const OTHER_FIELD = '99';
