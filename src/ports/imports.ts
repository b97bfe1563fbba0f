import type { CatalogKind, CatalogPart, ImportFormat } from '#domain/catalog';
import type { LinkProblem } from './store/link-checks.ts';

export interface ImportSources {
  /** An address is not called yet. Errors: IMPORT_INVALID with what is missing or wrong; IMPORTS_TOO_MANY where too many are being
   *  opened. */
  open(request: ImportRequest): Promise<ImportSource>;
  /** Of a table in this format; empty where it is none, or an official one. */
  listColumns(format: ImportFormat): Promise<readonly ImportColumn[]>;
}

/** A column that is read. */
export interface ImportColumn {
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly isRequired: boolean;
  /** A cell. */
  readonly example: string;
}

export interface ImportRequest {
  readonly format: ImportFormat;
  /** A file, a folder or an address, depending on the format. */
  readonly location: string;
  /** Two-letter codes; all that the source has when empty. */
  readonly langs: readonly string[];
  /** Instead of the name that the source would give itself. */
  readonly dataset?: string;
  /** The provider of learning objects that name none: an id or a name. */
  readonly provider?: string;
  /** For people, instead of the location: the name of a file that was uploaded. */
  readonly title?: string;
  /** Given where only the page at this address is read, as an object that somebody wants to add: it need not describe itself in
   *  JSON-LD, and who adds it may not be an owner. */
  readonly page?: { readonly isByOwner: boolean };
}

/** Something that can be imported. Reading it holds a bounded part of it in memory. */
export interface ImportSource {
  readonly format: ImportFormat;
  /** What the records belong to: the next import of the same dataset takes their place. Lower-case words, `esco`, `objects-spring`. */
  readonly dataset: string;
  /** For people: `ESCO (en, fr)`, the name of a file, an address. */
  readonly title: string;
  /** Beginnings of the names of the parts that this source would have: what the dataset has under other names is not removed
   *  by it. `['']` is everything; empty removes nothing (a feed shows only its newest entries). */
  readonly covers: readonly string[];
  /** Changes with the source, so that an import that was broken off is begun anew. Null where a position in the source means
   *  nothing later. */
  readonly fingerprint: string | null;
  /** Where the fingerprint does not show changes of the content (an address): how long a position may be used after it was
   *  reached. Once such a source is read to its end, it is always read anew. When absent, positions last as long as the
   *  fingerprint. */
  readonly resumableForMs?: number;
  /** In the unit of `done`; null where unknown. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows' | 'pages';
  /** @param after position of an item of the same fingerprint; null from the beginning
   *  It can be read anew after PositionLost, not after its end.
   *  Errors: PositionLost; IMPORT_INVALID where it is invalid as a whole, SOURCE_UNAVAILABLE where it cannot be reached. */
  read(options: { readonly after: string | null; readonly signal: AbortSignal }): AsyncIterable<ImportItem>;
  /** Holds as little as it can until it is read: it has to wait. */
  rest?(): void;
  /** Lets go of what it holds until it is read to its end, or the sources are closed. May be called again. */
  close?(): void;
}

/** Why something on the web could not be read, where known: in `data.reason` of SOURCE_UNAVAILABLE and IMPORT_INVALID. */
export type SourceProblem = Exclude<LinkProblem, 'gone' | 'parked' | 'sent-home'> | 'busy' | 'too-long';

/** What was read since the item before. */
export interface ImportItem {
  /** From here `read` can go on: a text of the source's own. Null where reading can only go on from the item before; `done` is
   *  then that of it as well. */
  readonly position: string | null;
  /** How much is read so far, in the source's unit. */
  readonly done: number;
  /** Rows this item stands for; 0 where it only brings what earlier rows led to. */
  readonly rows: number;
  readonly parts: readonly CatalogPart[];
  readonly rejected: readonly RejectedRow[];
}

/** A row that cannot be used, or not as it is. */
export interface RejectedRow {
  /** Where it stands: `skills_fr.csv:1042`, or an address. */
  readonly place: string;
  /** What is wrong and what would be right, in English. */
  readonly reason: string;
  /** The row is imported all the same, with a guess or without what could not be read. */
  readonly isUsed?: true;
  /** The part that the row would be (the one without a name where none is given), where that much can be read: what the dataset
   *  has of it stays as it is, unless another row says what it is now. */
  readonly of?: Pick<CatalogPart, 'kind' | 'key'> & Partial<Pick<CatalogPart, 'part'>>;
}

/** Thrown by `read` where it cannot go on from `after`, or from where it is (an expired token, a changed list): what was read so
 *  far may be wrong by now, so the source is read anew from its beginning, as an import of its own. */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}

export interface Uploads {
  /** Keeps what comes, readable by this host alone. Errors: UPLOAD_TOO_LARGE, DATA_DIR_UNWRITABLE; what came is removed then.
   *  @param receivedAt now when absent; an import that goes on elsewhere knows its file by it */
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

/** What was imported, as it counts now. */
export interface ImportedCatalog {
  /** Changes whenever `read` or `readDeadLinks` would give something else; empty where nothing was ever imported. Cheap. */
  version(): Promise<string>;
  /** Changes whenever `read` would give something else. Cheap. */
  importsVersion(): Promise<string>;
  /** Providers, then objects, then concepts, each in the order of their keys; page by page. */
  read(): AsyncIterable<ImportedRecord>;
  /** Addresses of objects that no longer answer. */
  readDeadLinks(): AsyncIterable<string>;
  /** The same as a set, which stays the same one while nothing changes; null where there are more than `most`. */
  listDeadLinks(most: number): Promise<ReadonlySet<string> | null>;
  /** What `read` gives otherwise than when `importsVersion` was `before`. Null where that is a concept or more than `most` objects, and
   *  where it cannot be told exactly. Costs as much as what changed. */
  changesSince(before: string, most: number): Promise<ImportedChanges | null>;
}

/** So many objects that were imported, undone or found dead are small changes: hosts lay them over what they have. */
export const MOST_LAID_OVER = 2_000;

export interface ImportedChanges {
  /** `importsVersion` of what is given. */
  readonly imports: string;
  /** By their keys, what objects are now; null for what is not there. Some may be as they were. */
  readonly objects: ReadonlyMap<string, ImportedRecord | null>;
  /** All that there are now; null where none changed. */
  readonly providers: readonly ImportedRecord[] | null;
}

/** A record that was imported, with all its parts, of all datasets. */
export interface ImportedRecord {
  readonly kind: CatalogKind;
  readonly key: string;
  /** Bodies of the parts: all for a concept (to be merged), one for anything else. */
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}
