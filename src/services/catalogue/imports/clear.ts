import { MOST_LAID_OVER } from '#ports/imports';
import type { EntryPlace, ImportEntry, ImportRecord, ImportRepository } from '#ports/store/store';
import { toRemovedEntry } from './compare.ts';
import { letOthersRun, PAGE, readEntriesInOrder, writeEntryPart } from './entry-order.ts';
import { canImportBeCleared, changeImport, countImportChanges } from './import-records.ts';

/** So many of a dataset's imports can be undone. */
const KEPT_UNDOABLE = 5;
/** Of the newest imports of a dataset: which objects a small one that was undone had changed is kept, so that hosts can tell what is
 *  other without it. */
const KEPT_UNDONE = 10;

/** Takes away the entries of an import, or those of one state, in steps. */
async function clearEntries(
  imports: ImportRepository,
  importNumber: number,
  options: { readonly signal: AbortSignal; readonly state?: ImportEntry['state'] | undefined },
): Promise<void> {
  while ((await imports.removeEntriesOf(importNumber, PAGE, options.state)) > 0) {
    await letOthersRun();
    options.signal.throwIfAborted();
  }
}

/** Clears what finished imports of a dataset have left, also where their process died before clearing it. Imports that were
 *  broken off and can be resumed stay. */
export async function clearLeft(
  imports: ImportRepository,
  dataset: string,
  signal: AbortSignal,
  except: number | null = null,
): Promise<void> {
  for (const [place, record] of (await imports.listImportsOf(dataset)).entries()) {
    if (record.number === except || !canImportBeCleared(record)) continue;
    const isRecent = record.state === 'undone' && place < KEPT_UNDONE;
    const isKept = isRecent && (await keepKeys(imports, record, signal));
    const state = record.state === 'live' || isKept ? 'seen' : undefined;
    await clearEntries(imports, record.number, { signal, state });
  }
}

/** Of an import that was undone it stays known which objects it was of, and nothing that it said of them.
 *  @returns false where it is too large, or not of objects: then nothing needs to stay */
async function keepKeys(
  imports: ImportRepository,
  { number, counts }: ImportRecord,
  signal: AbortSignal,
): Promise<boolean> {
  if (countImportChanges(counts) > MOST_LAID_OVER) return false;
  const entries = await imports.findEntriesOf(number, 2 * MOST_LAID_OVER + 1);
  if (entries.length > 2 * MOST_LAID_OVER || entries.some(({ kind }) => kind === 'concept')) return false;
  const said = entries.filter(({ state }) => state === 'put').map((entry) => toRemovedEntry(entry, number));
  for (let start = 0; start < said.length; start += PAGE) {
    await imports.putEntries(said.slice(start, start + PAGE));
    await letOthersRun();
    signal.throwIfAborted();
  }
  return true;
}

/** Older imports can no longer be undone, so what lies under them is not needed. The record is marked before anything is removed.
 *  What counts is never removed, nor what would count if newer imports were undone. */
async function prune(imports: ImportRepository, dataset: string, signal: AbortSignal): Promise<void> {
  const isNew = await markNotUndoable(imports, dataset);
  if (!isNew) return;
  const [oldest] = await imports.listLiveOf(dataset, { skip: KEPT_UNDOABLE, limit: 1 });
  if (oldest === undefined) return;
  const live = new Set((await imports.listLive()).map(({ number }) => number));
  const isBase = ({ importNumber }: EntryPlace) => importNumber <= oldest.number && live.has(importNumber);
  await removeInSteps(imports, readShadowed(imports, dataset, isBase), signal);
  const left = new Set<number>();
  await removeInSteps(imports, readLoneRemoved(imports, dataset, { isBase, left }), signal);
  await markReplaced(imports, { dataset, before: oldest.number, left });
}

/** Imports with nothing left need not be read any more. The newest one that can no longer be undone stays, as it stands for what
 *  the dataset was with it. */
async function markReplaced(
  imports: ImportRepository,
  among: { readonly dataset: string; readonly before: number; readonly left: ReadonlySet<number> },
): Promise<void> {
  for (const { id, number, dataset } of await imports.listLive()) {
    if (dataset !== among.dataset || number >= among.before || among.left.has(number)) continue;
    const record = await imports.findImport(id);
    if (record?.state === 'live') await changeImport(imports, record, { state: 'replaced' });
  }
}

/** @returns whether one of them could be undone until now */
async function markNotUndoable(imports: ImportRepository, dataset: string): Promise<boolean> {
  let isNew = false;
  for (let skip = KEPT_UNDOABLE; ; skip += 1) {
    const [record] = await imports.listLiveOf(dataset, { skip, limit: 1 });
    if (record === undefined || !record.isUndoable) return isNew;
    // Where somebody else changed it, it is read once more.
    if ((await changeImport(imports, record, { isUndoable: false })) === null) skip -= 1;
    else isNew = true;
  }
}

async function removeInSteps(
  imports: ImportRepository,
  places: AsyncIterable<readonly EntryPlace[]>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of places) {
    for (let start = 0; start < page.length; start += PAGE) {
      await imports.removeEntries(page.slice(start, start + PAGE));
      await letOthersRun();
      signal.throwIfAborted();
    }
  }
}

type IsBase = (place: EntryPlace) => boolean;

/** Reads the entries that a later one of the same part will always hide. */
async function* readShadowed(imports: ImportRepository, dataset: string, isBase: IsBase) {
  let last: ImportEntry | null = null;
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: false })) {
    const shadowed: EntryPlace[] = [];
    for (const entry of page.filter(isBase)) {
      if (last !== null && writeEntryPart(last) === writeEntryPart(entry)) shadowed.push(last);
      last = entry;
    }
    yield shadowed;
  }
}

/** Reads the `removed` entries that no longer hide anything. Numbers of imports that have other entries are added to `left`. */
async function* readLoneRemoved(
  imports: ImportRepository,
  dataset: string,
  { isBase, left }: { readonly isBase: IsBase; readonly left: Set<number> },
) {
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: false })) {
    for (const { state, importNumber } of page) if (state !== 'removed') left.add(importNumber);
    yield page.filter((entry) => entry.state === 'removed' && isBase(entry));
  }
}

/** All clearing of a dataset after one of its imports has ended. */
export async function clearBehind(
  imports: ImportRepository,
  { dataset }: ImportRecord,
  signal: AbortSignal,
): Promise<void> {
  await clearLeft(imports, dataset, signal);
  await prune(imports, dataset, signal);
}
