import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { ConceptRecord, LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import type { CatalogCounts, Counts, Topic } from '#domain/catalog';
import { type DecodeOptions, decodeSnapshot, encodeSnapshot } from '#engine/snapshot';
import type { RecordTable } from './records-file.ts';

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

/** Beside them, for another engine that keeps the objects, until it has them. */
export const DOCUMENTS_FILE = 'documents.jsonl';

/** The blocks that are kept in memory while a version is searched. */
export type VersionBlocks = Readonly<Record<'objects' | 'terms' | 'catalog', Uint8Array>>;

export const blockNames = ['objects', 'terms', 'catalog'] as const satisfies (keyof VersionBlocks)[];

type CountedRecord = Pick<LearningObjectRecord, 'provider' | 'type' | 'lang'>;

/** Counts what there is of each kind, record by record. */
interface CatalogCounter {
  addObject(record: CountedRecord): void;
  /** One that was counted. */
  removeObject(record: CountedRecord): void;
  addConcept(record: ConceptRecord): void;
  finish(): CatalogCounts;
}

/** What a later state is compared with, to tell what changed since. */
export interface BuiltState {
  /** `ImportedCatalog.importsVersion()`. */
  readonly imports: string;
  /** Addresses that no longer answered, of whatever objects; null where they are more than `MOST_TOLD`. */
  readonly dead: readonly string[] | null;
  /** Keys of imported objects that do not count, as another one has their address in another spelling; null where they are more. */
  readonly covered: readonly string[] | null;
  /** Ids of the providers that nobody describes. */
  readonly madeUp: readonly string[];
}

/** Addresses that are kept of each kind, for comparing: about 2 MB of text. */
export const MOST_TOLD = 20_000;

/** What is known of a version without its indexes. */
export interface CatalogSummary {
  readonly fingerprint: string;
  /** Version of what was imported; empty for none. */
  readonly imported: string;
  readonly providers: readonly ProviderRecord[];
  readonly counts: CatalogCounts;
  /** What its objects can be about. */
  readonly topics: readonly Topic[];
  /** Imported records that were passed over, because they are not of their schema. */
  readonly skipped: number;
  /** Of the records file, which is empty where another engine keeps the objects. */
  readonly recordBytes: number;
  /** Addresses of the objects that come from the starter catalogue. */
  readonly starter: readonly string[];
  readonly state: BuiltState;
}

const FORMAT = 'skilldock-catalog';
/** Raise this whenever the meaning of a section or of the summary changes: older versions are then rebuilt. */
const VERSION = 3;

export function encodeVersionCatalog(summary: CatalogSummary, table: RecordTable): Uint8Array {
  const counts = Object.fromEntries(Object.entries(summary.counts).map(([kind, of]) => [kind, [...of]]));
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
  const { providers, types, languages, taxonomies } = plain.counts;
  const counts = {
    providers: new Map(providers),
    types: new Map(types),
    languages: new Map(languages),
    taxonomies: new Map(taxonomies),
  };
  return { summary: { ...plain, counts }, table: sections as unknown as RecordTable };
}

/** @param before what is counted on from */
export function createVersionCatalogCounter(before?: CatalogCounts): CatalogCounter {
  const counts = {
    providers: tally(before?.providers),
    types: tally(before?.types),
    languages: tally(before?.languages),
    taxonomies: tally(before?.taxonomies),
  };
  const count = ({ provider, type, lang }: CountedRecord, change: number) => {
    counts.providers.add(provider, change);
    for (const each of type) counts.types.add(each, change);
    counts.languages.add(lang, change);
  };
  return {
    addObject: (record) => count(record, 1),
    removeObject: (record) => count(record, -1),
    addConcept: ({ source }) => counts.taxonomies.add(source, 1),
    finish: () => ({
      providers: counts.providers.sorted(),
      types: counts.types.sorted(),
      languages: counts.languages.sorted(),
      taxonomies: counts.taxonomies.sorted(),
    }),
  };
}

function tally(before: Counts = new Map()) {
  const counts = new Map(before);
  return {
    add(value: string, change: number): void {
      counts.set(value, (counts.get(value) ?? 0) + change);
    },
    sorted: (): Counts =>
      new Map([...counts].filter(([, n]) => n > 0).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
  };
}

/** Written into every file of the version. */
export function writeVersionFingerprint({ base, imported }: VersionKey): string {
  return `${base}:${imported}`;
}

/** A version, or the name of its folder. */
export type VersionPlace = VersionKey | string;

/** Name of the folder of a version; versions of one base begin alike. */
export function nameVersionFolder(place: VersionPlace): string {
  if (typeof place === 'string') return place;
  const { base, imported } = place;
  const tail = imported === '' ? 'starter' : createHash('sha256').update(imported).digest('hex').slice(0, 16);
  return `${nameVersionBase(base)}-${tail}`;
}

export function nameVersionBase(base: string): string {
  return base.slice(0, 16);
}

/** Node reads and writes less than 2 GiB at once. */
const CHUNK_BYTES = 2 ** 30;

/** A whole file in a block of its own, which can be handed to another thread.
 *  Errors: those of reading. */
export function readBlockFile(path: string): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const block = new Uint8Array(fstatSync(file).size);
    for (let at = 0; at < block.length; ) {
      const read = readSync(file, block, at, Math.min(CHUNK_BYTES, block.length - at), at);
      // Cut meanwhile: its checksum will tell.
      if (read === 0) break;
      at += read;
    }
    return block;
  } finally {
    closeSync(file);
  }
}

/** On the disk when it is done. Errors: those of writing. */
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
