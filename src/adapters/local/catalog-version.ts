import { createHash } from 'node:crypto';

/** What a version of the catalogue is made from. */
export interface VersionKey {
  /** Fingerprint of the starter data and of the code that indexes. */
  readonly base: string;
  /** `ImportedCatalog.version()`; empty for the starter catalogue alone. */
  readonly imported: string;
}

/** The files of a version, in a folder of their own. */
export const versionFiles = {
  objects: 'objects.index',
  terms: 'terms.index',
  /** What is known of the version, and where each record stands. */
  catalog: 'catalog.index',
  records: 'records.jsonl',
} as const;

/** The blocks that are kept in memory while a version is searched. */
export type VersionBlocks = Readonly<Record<'objects' | 'terms' | 'catalog', Uint8Array>>;

export const blockNames = ['objects', 'terms', 'catalog'] as const satisfies (keyof VersionBlocks)[];

/** Stands in every file of the version. */
export function fingerprintOfVersion({ base, imported }: VersionKey): string {
  return `${base}:${imported}`;
}

/** Name of the folder of a version; versions of one base begin alike. */
export function folderNameOf({ base, imported }: VersionKey): string {
  const tail = imported === '' ? 'starter' : createHash('sha256').update(imported).digest('hex').slice(0, 16);
  return `${baseNameOf(base)}-${tail}`;
}

export function baseNameOf(base: string): string {
  return base.slice(0, 16);
}
