import type { CatalogPart, ImportCounts } from '#domain/catalog';
import type { ImportItem, ImportSource, RejectedRow } from '#ports/imports';
import type { EntryPart, ImportRecord } from '#ports/store/store';
import { noCounts } from './import-records.ts';

/** How far a source is read; what a record keeps of it. */
export type ReadSoFar = Pick<ImportRecord, 'position' | 'done' | 'rejected'> & {
  readonly rows: number;
  readonly rejectedRows: number;
  /** Used, but not as they are. */
  readonly warnedRows: number;
};

export const nothingRead: ReadSoFar = {
  position: null,
  done: 0,
  rejected: [],
  rows: 0,
  rejectedRows: 0,
  warnedRows: 0,
};

/** As a record counts them. */
export const countRows = ({ rows, rejectedRows, warnedRows }: ReadSoFar): ImportCounts => ({
  ...noCounts,
  rows,
  rejected: rejectedRows,
  warned: warnedRows,
});

export interface ReadOptions {
  /** Where reading resumes. */
  readonly from: ReadSoFar;
  readonly signal: AbortSignal;
  /** Rows or parts of a batch; 1,000 unless told. */
  readonly batchSize: number | undefined;
  onRejected?(row: RejectedRow): void;
  /** Told what came since the last time, and the position it reaches. After a kill the same may come again. */
  onBatch(batch: Batch, soFar: ReadSoFar): Promise<void>;
}

export interface Batch {
  readonly parts: readonly CatalogPart[];
  /** The parts that unusable rows would have been. */
  readonly kept: readonly EntryPart[];
}

const BATCH = 1_000;
/** Of its parts: a batch is hashed and written in few steps. */
const BATCH_CHARS = 1_000_000;
/** With a slow source, it is told sooner. */
const BATCH_MS = 500;
/** Rows that are kept with their reasons. */
const MAX_REJECTED = 1_000;
const MAX_WARNED = 200;

/** Reads a source to its end in batches. Errors: those of the source; the signal's reason. */
export async function readSource(source: ImportSource, options: ReadOptions): Promise<ReadSoFar> {
  const { signal, onBatch, batchSize = BATCH } = options;
  let soFar = options.from;
  let parts: CatalogPart[] = [];
  let kept: EntryPart[] = [];
  let since = 0;
  let chars = 0;
  let begunAt = performance.now();
  const items = source.read({ after: soFar.position, signal });
  for await (const item of untilAborted(items, signal)) {
    for (const row of item.rejected) {
      options.onRejected?.(row);
      if (row.of !== undefined) kept.push({ part: '', ...row.of });
    }
    // One by one: as arguments of a call, there may be too many.
    for (const part of item.parts) {
      parts.push(part);
      chars += JSON.stringify(part.body).length;
    }
    since += item.rows;
    soFar = addItem(soFar, item);
    const isSmall = parts.length < batchSize && since < batchSize && chars < BATCH_CHARS;
    if (isSmall && performance.now() - begunAt < BATCH_MS) continue;
    await onBatch({ parts, kept }, soFar);
    signal.throwIfAborted();
    [parts, kept, since, chars, begunAt] = [[], [], 0, 0, performance.now()];
  }
  await onBatch({ parts, kept }, soFar);
  return soFar;
}

function addItem(soFar: ReadSoFar, { position, done, rows, rejected }: ImportItem): ReadSoFar {
  const remarks: ReadSoFar['rejected'][number][] = [];
  let { rejectedRows, warnedRows } = soFar;
  for (const { place, reason, isUsed = false } of rejected) {
    const isKept = isUsed ? warnedRows++ < MAX_WARNED : rejectedRows++ < MAX_REJECTED;
    if (isKept) remarks.push({ place, reason, isUsed });
  }
  return {
    position: position ?? soFar.position,
    done: position === null ? soFar.done : done,
    rows: soFar.rows + rows,
    rejectedRows,
    warnedRows,
    // Most items have none, and the list is long where many had some.
    rejected: remarks.length === 0 ? soFar.rejected : [...soFar.rejected, ...remarks],
  };
}

/** Does not wait for a source that ignores the signal. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, undefined> {
  signal.throwIfAborted();
  const iterator = items[Symbol.asyncIterator]();
  // One promise for each item: waiters on one that never settles would add up.
  let giveUp: (reason: unknown) => void = () => undefined;
  const onAbort = () => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        if (signal.aborted) onAbort();
        else iterator.next().then(resolve, reject);
      });
      if (next.done) return undefined;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    iterator.return?.()?.catch(() => undefined);
  }
}
