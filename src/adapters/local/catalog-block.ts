import type { CatalogCounts } from '../../domain/catalog.ts';
import { type DecodeOptions, decodeSnapshot, encodeSnapshot } from '../../engine/snapshot.ts';
import type { ProviderRecord } from '../catalog/catalog-schema.ts';
import type { RecordTable } from './records-file.ts';

/** What is known of a version without its indexes. */
export interface CatalogSummary {
  readonly fingerprint: string;
  /** Version of what was imported; empty for none. */
  readonly imported: string;
  readonly providers: readonly ProviderRecord[];
  readonly counts: CatalogCounts;
  /** Imported records that were passed over, because they are not of their schema. */
  readonly skipped: number;
  /** Of the records file. */
  readonly recordBytes: number;
}

const FORMAT = 'skilldock-catalog';
/** To be raised whenever the meaning of a section or of the summary changes; an older one is rebuilt. */
const VERSION = 1;

export function encodeCatalogBlock(summary: CatalogSummary, table: RecordTable): Uint8Array {
  const counts = Object.fromEntries(Object.entries(summary.counts).map(([kind, of]) => [kind, [...of]]));
  return encodeSnapshot(FORMAT, VERSION, { meta: { ...summary, counts }, sections: { ...table } });
}

/** Errors: SNAPSHOT_INVALID. */
export function decodeCatalogBlock(
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
