import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { ConceptRecord, LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import type { CatalogCounts, Counts, Topic } from '#domain/catalog';
import { addCount } from '#engine/maps';
import { type DecodeOptions, decodeSnapshot, encodeSnapshot } from '#engine/snapshot';
import type { RecordTable } from './records-file.ts';

export interface VersionKey {
  /** Fingerprint of the starter data and of the code that indexes. */
  readonly base: string;
  /** `ImportedCatalog.version()`; empty for the starter catalogue alone. */
  readonly imported: string;
}

/** The files of a version, in a folder of its own. */
export const versionFiles = {
  objects: 'objects.index',
  terms: 'terms.index',
  /** The file of the summary, and of the table of records. */
  catalog: 'catalog.index',
  records: 'records.jsonl',
} as const;

/** A file in the same folder that exists until the external index has the objects. */
export const DOCUMENTS_FILE = 'documents.jsonl';

/** The files that stay in memory while a version is searched. */
export type VersionBlocks = Readonly<Record<'objects' | 'terms' | 'catalog', Uint8Array>>;

export const blockNames = ['objects', 'terms', 'catalog'] as const satisfies (keyof VersionBlocks)[];

/** The sources of a version, which later builds compare with the store. */
export interface BuiltState {
  /** `ImportedCatalog.importsVersion()`. */
  readonly imports: string;
  /** Addresses that no longer answered; null if there are more than `MAX_COMPARED`. */
  readonly dead: readonly string[] | null;
  /** Keys of imported objects that are not searched, because another one has the same address in
   *  another spelling; null if there are more than `MAX_COMPARED`. */
  readonly duplicates: readonly string[] | null;
  readonly undescribedProviders: readonly string[];
}

/** The most keys that a version keeps for comparing: about 2 MB. */
export const MAX_COMPARED = 20_000;

export interface CatalogSummary {
  readonly fingerprint: string;
  /** `VersionKey.imported`. */
  readonly imported: string;
  readonly providers: readonly ProviderRecord[];
  readonly counts: CatalogCounts;
  readonly topics: readonly Topic[];
  /** The number of imported records that were ignored, as they do not fit their schema. */
  readonly skipped: number;
  /** Length of the records file, which is empty if an external index stores the objects. */
  readonly recordBytes: number;
  readonly starterIds: readonly string[];
  readonly state: BuiltState;
}

const FORMAT = 'skilldock-catalog';
/** Raise this whenever the meaning of the content changes: older versions are then rebuilt. */
const VERSION = 4;

export function encodeVersionCatalog(summary: CatalogSummary, table: RecordTable): Uint8Array {
  const counts = Object.fromEntries(Object.entries(summary.counts).map(([kind, byValue]) => [kind, [...byValue]]));
  return encodeSnapshot(FORMAT, VERSION, { meta: { ...summary, counts }, sections: { ...table } });
}

/** Errors: SNAPSHOT_INVALID. */
export function decodeVersionCatalog(
  block: Uint8Array,
  options?: DecodeOptions,
): { summary: CatalogSummary; table: RecordTable } {
  const { meta, sections } = decodeSnapshot(FORMAT, VERSION, block, options);
  const plain = meta as Omit<CatalogSummary, 'counts'> & {
    readonly counts: Readonly<Record<keyof CatalogCounts, readonly (readonly [string, number])[]>>;
  };
  const counts = Object.entries(plain.counts).map(([kind, byValue]) => [kind, new Map(byValue)]);
  const summary = { ...plain, counts: Object.fromEntries(counts) as CatalogCounts };
  return { summary, table: sections as unknown as RecordTable };
}

type CountedRecord = Pick<LearningObjectRecord, 'provider' | 'type' | 'lang'>;

/** Counts objects by provider, type and language, and concepts by taxonomy.
 *  @param initial the counts to begin with; 0 by default */
export function createCatalogCounter(initial?: CatalogCounts) {
  const providers = new Map(initial?.providers);
  const types = new Map(initial?.types);
  const languages = new Map(initial?.languages);
  const taxonomies = new Map(initial?.taxonomies);
  const countObject = (record: CountedRecord, by: number) => {
    addCount(providers, record.provider, by);
    for (const type of record.type) addCount(types, type, by);
    addCount(languages, record.lang, by);
  };
  return {
    addObject: (record: CountedRecord) => countObject(record, 1),
    removeObject: (record: CountedRecord) => countObject(record, -1),
    addConcept: ({ source }: ConceptRecord) => addCount(taxonomies, source),
    finish: (): CatalogCounts => ({
      providers: sortCounts(providers),
      types: sortCounts(types),
      languages: sortCounts(languages),
      taxonomies: sortCounts(taxonomies),
    }),
  };
}

/** @returns the counts above 0, the highest first */
function sortCounts(counts: Counts): Counts {
  const positive = [...counts].filter(([, n]) => n > 0);
  return new Map(positive.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

export const fingerprintVersion = ({ base, imported }: VersionKey): string => `${base}:${imported}`;

/** A version, or the name of its folder. */
export type VersionRef = VersionKey | string;

/** Names the folder of a version. Versions with the same base have a common prefix. */
export function nameVersionFolder(version: VersionRef): string {
  if (typeof version === 'string') return version;
  const { base, imported } = version;
  const tail = imported === '' ? 'starter' : createHash('sha256').update(imported).digest('hex').slice(0, 16);
  return `${nameVersionBase(base)}-${tail}`;
}

export const nameVersionBase = (base: string): string => base.slice(0, 16);

/** Node cannot read or write 2 GiB at once. */
const CHUNK_BYTES = 2 ** 30;

/** Reads a file into a buffer of its own, which can be transferred to another thread.
 *  Errors: those of reading. */
export function readBlockFile(path: string): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const block = new Uint8Array(fstatSync(file).size);
    for (let at = 0; at < block.length; ) {
      const bytesRead = readSync(file, block, at, Math.min(CHUNK_BYTES, block.length - at), at);
      // The file was truncated meanwhile; its checksum will not match.
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return block;
  } finally {
    closeSync(file);
  }
}

/** Writes a file, and waits until it is on the disk. Errors: those of writing. */
export function writeBlockFile(path: string, block: Uint8Array): void {
  const file = openSync(path, 'w');
  try {
    for (let at = 0; at < block.length; )
      at += writeSync(file, block, at, Math.min(CHUNK_BYTES, block.length - at), at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
