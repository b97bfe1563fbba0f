import { waitUnlessAborted } from '#domain/async/deadline';
import type { CatalogPart } from '#domain/catalog';
import type { ImportItem, ImportSource, RejectedRow } from '#ports/imports';
import type { EntryPart, ImportRecord } from '#ports/store/store';
import { noCounts } from './import-records.ts';

/** How much of a source was read. An import record stores it. */
export type ReadSoFar = Pick<ImportRecord, 'position' | 'done' | 'rejected' | 'counts'>;

export const nothingRead: ReadSoFar = { position: null, done: 0, rejected: [], counts: noCounts };

/** Counts live objects that were kept although their rows were rejected. */
export function addKept(soFar: ReadSoFar, kept: number): ReadSoFar {
  return { ...soFar, counts: { ...soFar.counts, kept: (soFar.counts.kept ?? 0) + kept } };
}

export interface ReadOptions {
  /** Where reading resumes. */
  readonly from: ReadSoFar;
  readonly signal: AbortSignal;
  /** Number of rows or parts of a batch; 1,000 when undefined. */
  readonly batchSize: number | undefined;
  onRejected?(row: RejectedRow): void;
  /** Stores a batch, which may come again after a kill. @returns how many live objects were kept */
  onBatch(batch: Batch, soFar: ReadSoFar): Promise<number>;
}

export interface Batch {
  readonly parts: readonly CatalogPart[];
  /** The parts that rejected rows stand for: their live entries are kept. */
  readonly unchangedParts: readonly EntryPart[];
}

const BATCH = 1_000;
/** Limit of the characters in the bodies of a batch, which is hashed and written in few steps. */
const BATCH_CHARS = 1_000_000;
/** Time after which a batch ends, so that a slow source has smaller ones. */
const BATCH_MS = 500;
/** Numbers of rows that are stored with their reasons. */
const MAX_REJECTED = 1_000;
const MAX_WARNED = 200;

/** Reads a source to its end in batches. Errors: those of the source; the signal's reason. */
export async function readSourceInBatches(source: ImportSource, options: ReadOptions): Promise<ReadSoFar> {
  const { signal, onBatch, batchSize = BATCH } = options;
  let soFar = options.from;
  let parts: CatalogPart[] = [];
  let unchangedParts: EntryPart[] = [];
  let rows = 0;
  let chars = 0;
  let begunAt = performance.now();
  const items = source.read({ after: soFar.position, signal });
  for await (const item of readUntilAborted(items, signal)) {
    for (const row of item.rejected) {
      options.onRejected?.(row);
      if (row.of !== undefined) unchangedParts.push({ part: '', ...row.of });
    }
    // One by one, as there may be too many for the arguments of one call.
    for (const part of item.parts) {
      parts.push(part);
      chars += JSON.stringify(part.body).length;
    }
    rows += item.rows;
    soFar = addItem(soFar, item);
    const isSmall = parts.length < batchSize && rows < batchSize && chars < BATCH_CHARS;
    if (isSmall && performance.now() - begunAt < BATCH_MS) continue;
    soFar = addKept(soFar, await onBatch({ parts, unchangedParts }, soFar));
    signal.throwIfAborted();
    [parts, unchangedParts, rows, chars, begunAt] = [[], [], 0, 0, performance.now()];
  }
  return addKept(soFar, await onBatch({ parts, unchangedParts }, soFar));
}

function addItem(soFar: ReadSoFar, item: ImportItem): ReadSoFar {
  const { position, done, rows, rejected, leftOut = 0 } = item;
  const stored: ReadSoFar['rejected'][number][] = [];
  const { counts } = soFar;
  let { rejected: rejectedRows, warned } = counts;
  for (const { place, reason, isUsed = false, isNote } of rejected) {
    if (isNote) {
      stored.push({ place, reason, isUsed, isNote });
      continue;
    }
    const isStored = isUsed ? warned < MAX_WARNED : rejectedRows < MAX_REJECTED;
    if (isStored) stored.push({ place, reason, isUsed });
    if (isUsed) warned++;
    else rejectedRows++;
  }
  return {
    position: position ?? soFar.position,
    done: position === null ? soFar.done : done,
    counts: {
      ...counts,
      rows: counts.rows + rows,
      rejected: rejectedRows,
      warned,
      leftOut: (counts.leftOut ?? 0) + leftOut,
    },
    // Copied only if rows were added, as the list may be long.
    rejected: stored.length === 0 ? soFar.rejected : [...soFar.rejected, ...stored],
  };
}

/** Reads items, and stops at once when aborted, even if the source ignores the signal. */
async function* readUntilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await waitUnlessAborted(iterator.next(), signal);
      if (next.done) return undefined;
      yield next.value;
    }
  } finally {
    iterator.return?.()?.catch(() => undefined);
  }
}
