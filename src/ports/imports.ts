import type { CatalogKind, CatalogPart, ImportChoices, ImportFormat } from '#domain/catalog';
import type { LinkProblem } from './store/link-checks.ts';

export interface ImportSources {
  /** Opens a source without calling its address yet. Errors: IMPORT_INVALID; IMPORTS_TOO_MANY. */
  open(request: ImportRequest): Promise<ImportSource>;
  nameDataset(request: ImportRequest): string;
  /** Lists the columns of a table in this format; none if it is no table, or an official one. */
  listColumns(format: ImportFormat): Promise<readonly ImportColumn[]>;
}

export interface ImportColumn {
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly isRequired: boolean;
  readonly example: string;
}

export interface ImportRequest extends ImportChoices {
  readonly format: ImportFormat;
  /** A file, a folder or an address, depending on the format. */
  readonly location: string;
  /** Two-letter codes; empty for all languages of the source. */
  readonly langs: readonly string[];
  /** Name of the data set; absent for the default name. */
  readonly dataset?: string;
  /** Id or name of the provider of learning objects that name none. */
  readonly provider?: string;
  /** Title that is shown instead of the location: the name of an uploaded file. */
  readonly title?: string;
  /** For an object that somebody adds by its address: one page, which need not have JSON-LD,
   *  possibly entered by someone who is not an owner. */
  readonly page?: { readonly isByOwner: boolean };
}

export type MatchedColumn = { readonly name: string; readonly readAs: string | null };

/** A source that is read in bounded memory, whatever its size. */
export interface ImportSource {
  readonly format: ImportFormat;
  /** Name such as `objects-spring`: the next import of this name replaces the records. */
  readonly dataset: string;
  /** Title for people: `ESCO (en, fr)`, the name of a file, an address. */
  readonly title: string;
  /** Prefixes of part names that an import of this source may remove: `['']` is every part, empty
   *  none (a feed shows only its newest entries). */
  readonly covers: readonly string[];
  /** Changes with the source. Null if a position cannot be used later. */
  readonly fingerprint: string | null;
  /** How long a position may be used, for a source such as an address whose fingerprint does not
   *  show changes of its content. Absent: as long as the fingerprint is the same. */
  readonly resumableForMs?: number;
  /** Size of the source in `unit`; null where unknown. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows' | 'pages';
  readonly columns?: readonly MatchedColumn[];
  /** Choices that are stored for the next import of the data set. */
  readonly choices?: ImportChoices;
  /** Reads the items. It can be called again after PositionLost, not after the end. Errors:
   *  PositionLost; IMPORT_INVALID if the source is invalid as a whole; SOURCE_UNAVAILABLE.
   *  @param after position of an item of the same fingerprint; null for the beginning */
  read(options: { readonly after: string | null; readonly signal: AbortSignal }): AsyncIterable<ImportItem>;
  /** Frees memory while the source waits to be read. */
  freeMemory?(): void;
  /** Closes the source; it may be called again. */
  close?(): void;
}

/** `data.reason` of SOURCE_UNAVAILABLE and IMPORT_INVALID for sources on the web. */
export type SourceProblem = Exclude<LinkProblem, 'gone' | 'parked' | 'sent-home'> | 'busy' | 'too-long';

export interface ImportItem {
  /** Where `read` can resume, opaque to callers. Null if it can only resume at the previous
   *  item, whose `done` this item repeats. */
  readonly position: string | null;
  /** Amount that was read so far, in the unit of the source. */
  readonly done: number;
  /** Rows read since the previous item; 0 if the item only has results of earlier rows. */
  readonly rows: number;
  readonly parts: readonly CatalogPart[];
  readonly rejected: readonly RejectedRow[];
  /** Rows of concepts that are skipped on purpose; for objects, the import counts them. */
  readonly leftOut?: number;
}

/** A row that cannot be used, or only in part. */
export interface RejectedRow {
  /** `skills_fr.csv:1042`, or an address. */
  readonly place: string;
  /** The error and its correction, in English. */
  readonly reason: string;
  /** The row is imported, with a guess or without the unreadable values. */
  readonly isUsed?: true;
  /** About the whole source, such as ignored columns; not counted as a row. */
  readonly isNote?: true;
  /** The part that the row describes, if that can be read: the import keeps the stored part unless
   *  another row describes it. */
  readonly of?: Pick<CatalogPart, 'kind' | 'key'> & Partial<Pick<CatalogPart, 'part'>>;
}

/** `read` cannot resume (an expired token, a changed list). Items read so far may be wrong, so
 *  another import reads the source from the beginning. */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}

export interface Uploads {
  /** Stores a file that only this host can read, and removes an incomplete one. Errors:
   *  UPLOAD_TOO_LARGE, DATA_DIR_UNWRITABLE.
   *  @param receivedAt now when absent; a host that resumes the import finds the file by it */
  receive(name: string, content: AsyncIterable<Uint8Array>, receivedAt?: Date): Promise<Upload>;
  /** Reads a file in chunks of at most `FILE_PART_BYTES`. */
  read(upload: Upload): AsyncIterable<Uint8Array>;
  remove(upload: Upload): Promise<void>;
}

/** An uploaded file, stored until it is read. */
export interface Upload {
  /** Absolute. */
  readonly path: string;
  /** Name of the file at the sender, without folders. */
  readonly name: string;
  readonly bytes: number;
  readonly receivedAt: Date;
}

export interface ImportedCatalog {
  /** Returns a text that changes with `read` and `readDeadLinks`; empty without imports. Cheap. */
  version(): Promise<string>;
  /** Returns a text that changes with the result of `read`. Cheap. */
  importsVersion(): Promise<string>;
  /** Reads providers, then objects, then concepts, each in the order of their keys. */
  read(): AsyncIterable<ImportedRecord>;
  readDeadLinks(): AsyncIterable<string>;
  /** Returns the dead addresses, as the same set until they change; null for more than `max`. */
  listDeadLinks(max: number): Promise<ReadonlySet<string> | null>;
  /** Returns the changes since `importsVersion` was `before`, in time proportional to them. Null if
   *  a concept changed, more than `max` objects did, or the changes are not known exactly. */
  changesSince(before: string, max: number): Promise<ImportedChanges | null>;
}

/** Up to this number of changed objects, hosts use an overlay instead of a new version. */
export const MAX_OVERLAY_OBJECTS = 2_000;

export interface ImportedChanges {
  /** `importsVersion` after these changes. */
  readonly imports: string;
  /** Objects by key; null for a removed one. Some may be equal to their previous version. */
  readonly objects: ReadonlyMap<string, ImportedRecord | null>;
  /** All current providers; null if none changed. */
  readonly providers: readonly ImportedRecord[] | null;
}

export interface ImportedRecord {
  readonly kind: CatalogKind;
  readonly key: string;
  /** Bodies of the parts: all of a concept (to be merged), one of anything else. */
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}
