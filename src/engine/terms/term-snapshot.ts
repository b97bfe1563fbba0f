import { packArrays, unpackArrays } from '../pack-arrays.ts';
import { type DecodeOptions, decodeSnapshot, encodeSnapshot } from '../snapshot.ts';
import type { TermData } from './term-data.ts';

const FORMAT = 'skilldock-terms';
/** To be raised whenever the meaning of a table changes; an older snapshot is rebuilt. */
const VERSION = 6;

/** One block with all tables.
 *  @param meta facts to find again on loading, such as a fingerprint of the data */
export function saveTermData(data: TermData, meta: unknown): Uint8Array {
  const { shape, sections } = packArrays(data);
  return encodeSnapshot(FORMAT, VERSION, { meta: { own: meta, shape }, sections });
}

/** Errors: SNAPSHOT_INVALID. */
export function loadTermData(block: Uint8Array, options?: DecodeOptions): { data: TermData; meta: unknown } {
  const { meta, sections } = decodeSnapshot(FORMAT, VERSION, block, options);
  const { own, shape } = meta as { own: unknown; shape: unknown };
  return { data: unpackArrays({ shape, sections }) as TermData, meta: own };
}
