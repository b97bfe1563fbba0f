import type { CatalogKind, CatalogPart, ImportChoices, ImportFormat } from '#domain/catalog';
import type { LinkProblem } from './store/link-checks.ts';

export interface ImportSources {
  /** Opens a source; an address is not called yet. Errors: IMPORT_INVALID with what is missing or
   *  wrong; IMPORTS_TOO_MANY where too many are being opened. */
  open(request: ImportRequest): Promise<ImportSource>;
  /** Name of the data set that this source would have. */
  nameDataset(request: ImportRequest): string;
  /** Columns of a table in this format; empty where the format is no table, or an official one. */
  listColumns(format: ImportFormat): Promise<readonly ImportColumn[]>;
}

export interface ImportColumn {
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly isRequired: boolean;
  /** Content of a cell. */
  readonly example: string;
}

export interface ImportRequest extends ImportChoices {
  readonly format: ImportFormat;
  /** A file, a folder or an address, depending on the format. */
  readonly location: string;
  /** Two-letter codes; empty for all languages of the source. */
  readonly langs: readonly string[];
  /** In place of the name that the source would have. */
  readonly dataset?: string;
  /** The provider of learning objects that name none: an id or a name. */
  readonly provider?: string;
  /** For people, instead of the location: the name of a file that was uploaded. */
  readonly title?: string;
  /** Given where only the page at this address is read, for an object that somebody adds: the page
   *  need not describe itself in JSON-LD, and the person may not be an owner. */
  readonly page?: { readonly isByOwner: boolean };
}

/** A column of a file; null where it is not read. */
export interface MatchedColumn {
  readonly name: string;
  readonly readAs: string | null;
}

/** Something that can be imported. Reading it holds a bounded part of it in memory. */
export interface ImportSource {
  readonly format: ImportFormat;
  /** Name of the data set, whose next import replaces its records, such as `objects-spring`. */
  readonly dataset: string;
  /** To be shown: `ESCO (en, fr)`, the name of a file, an address. */
  readonly title: string;
  /** Beginnings of the names of the parts that this source can have: an import removes no parts of
   *  the data set with other names. `['']` is everything; empty removes nothing (a feed shows only
   *  its newest entries). */
  readonly covers: readonly string[];
  /** Changes with the source, so that an interrupted import starts from the beginning. Null where a
   *  position in the source is of no use later. */
  readonly fingerprint: string | null;
  /** For a source whose fingerprint does not show changes of its content (an address): how long a
   *  position may be used. Once such a source is read to its end, it is always read from the
   *  beginning. When absent, positions last as long as the fingerprint. */
  readonly resumableForMs?: number;
  /** In the unit of `done`; null where unknown. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows' | 'pages';
  /** The columns of a table that somebody may match. */
  readonly columns?: readonly MatchedColumn[];
  /** To be remembered for the data set. */
  readonly choices?: ImportChoices;
  /** Can be called again after PositionLost, not after the end.
   *  Errors: PositionLost; IMPORT_INVALID where the source is invalid as a whole,
   *  SOURCE_UNAVAILABLE where it cannot be reached.
   *  @param after position of an item of the same fingerprint; null from the beginning */
  read(options: { readonly after: string | null; readonly signal: AbortSignal }): AsyncIterable<ImportItem>;
  /** Frees memory while the source waits to be read. */
  rest?(): void;
  /** Releases files and memory. May be called again. */
  close?(): void;
}

/** `data.reason` of SOURCE_UNAVAILABLE and IMPORT_INVALID for sources on the web. */
export type SourceProblem = Exclude<LinkProblem, 'gone' | 'parked' | 'sent-home'> | 'busy' | 'too-long';

/** A step of reading a source. */
export interface ImportItem {
  /** Where `read` can go on, in a form that only the source interprets. Null where it can only go
   *  on from the item before, whose `done` this item repeats. */
  readonly position: string | null;
  /** Amount read so far, in the unit of the source. */
  readonly done: number;
  /** Rows read since the item before; 0 where the item only has results of earlier rows. */
  readonly rows: number;
  readonly parts: readonly CatalogPart[];
  readonly rejected: readonly RejectedRow[];
  /** Of concepts: rows that bring nothing, on purpose. Of objects that is counted. */
  readonly leftOut?: number;
}

/** A row that cannot be used, or only in part. */
export interface RejectedRow {
  /** Where it stands: `skills_fr.csv:1042`, or an address. */
  readonly place: string;
  /** What is wrong and what would be right, in English. */
  readonly reason: string;
  /** The row is imported all the same, with a guess or without what could not be read. */
  readonly isUsed?: true;
  /** About the whole source, such as columns that are not read; counted as no row. */
  readonly isNote?: true;
  /** The part that the row would be, where that much can be read: the import leaves it as it is in
   *  the data set, unless another row describes it. */
  readonly of?: Pick<CatalogPart, 'kind' | 'key'> & Partial<Pick<CatalogPart, 'part'>>;
}

/** Thrown by `read` where it cannot go on (an expired token, a changed list). Items read so far may
 *  be wrong, so the source is read from its beginning, by another import. */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}

export interface Uploads {
  /** Stores a file that this host alone can read.
   *  Errors: UPLOAD_TOO_LARGE, DATA_DIR_UNWRITABLE; an incomplete file is removed.
   *  @param receivedAt now when absent; an import that another host continues finds its file by
   *  it */
  receive(name: string, content: AsyncIterable<Uint8Array>, receivedAt?: Date): Promise<Upload>;
  /** In chunks of at most `FILE_PART_BYTES`. */
  read(upload: Upload): AsyncIterable<Uint8Array>;
  remove(upload: Upload): Promise<void>;
}

/** A file that a browser sent, kept until it is read. */
export interface Upload {
  /** Absolute path of the file here. */
  readonly path: string;
  /** The sender's name for it, without folders. */
  readonly name: string;
  readonly bytes: number;
  readonly receivedAt: Date;
}

/** Imported records that are in use now. */
export interface ImportedCatalog {
  /** Changes with `read` and `readDeadLinks`; empty where nothing was ever imported. Cheap. */
  version(): Promise<string>;
  /** Changes with the result of `read`. Cheap. */
  importsVersion(): Promise<string>;
  /** Providers, then objects, then concepts, each in the order of their keys; page by page. */
  read(): AsyncIterable<ImportedRecord>;
  /** Addresses of objects that no longer answer. */
  readDeadLinks(): AsyncIterable<string>;
  /** These addresses as a set, the same one while nothing changes; null for more than `most`. */
  listDeadLinks(most: number): Promise<ReadonlySet<string> | null>;
  /** Differences of `read` since `importsVersion` was `before`. Null where a concept changed, more
   *  than `most` objects did, or the differences cannot be told exactly. Takes time in proportion
   *  to the changes. */
  changesSince(before: string, most: number): Promise<ImportedChanges | null>;
}

/** Changed objects up to which hosts use an overlay in place of a new version. */
export const MAX_OVERLAY_OBJECTS = 2_000;

export interface ImportedChanges {
  /** `importsVersion` after these changes. */
  readonly imports: string;
  /** Changed objects by key; null for a removed one. Some may be equal to what they were. */
  readonly objects: ReadonlyMap<string, ImportedRecord | null>;
  /** All current providers; null where none changed. */
  readonly providers: readonly ImportedRecord[] | null;
}

/** An imported record, with its parts of all data sets. */
export interface ImportedRecord {
  readonly kind: CatalogKind;
  readonly key: string;
  /** Bodies of the parts: all of a concept (to be merged), one of anything else. */
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}
