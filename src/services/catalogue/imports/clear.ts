import { MAX_OVERLAY_OBJECTS } from '#ports/imports';
import type { EntryPlace, ImportEntry, ImportRecord, ImportRepository } from '#ports/store/store';
import { toRemovedEntry } from './compare.ts';
import { PAGE, pauseForRequests, readEntriesInOrder, writeEntryPart } from './entry-order.ts';
import { canImportBeCleared, changeImportRecord, countImportChanges } from './import-records.ts';

/** Number of the newest live imports of a dataset that can be undone. */
const UNDOABLE_IMPORTS = 5;
/** Number of the newest imports among which an undone one keeps its keys, by which hosts update. */
const IMPORTS_WITH_KEYS = 10;

/** Removes what a data set no longer needs after an import: unused entries and old imports. */
export async function clearAfterImport(
  imports: ImportRepository,
  { dataset }: Pick<ImportRecord, 'dataset'>,
  signal: AbortSignal,
): Promise<void> {
  await clearUnusedEntries(imports, dataset, signal);
  await clearOldImports(imports, dataset, signal);
}

/** Removes entries that no import needs any more, also after a process died. Imports that can be
 *  resumed stay, and so does the one with the number `except`. */
export async function clearUnusedEntries(
  imports: ImportRepository,
  dataset: string,
  signal: AbortSignal,
  except: number | null = null,
): Promise<void> {
  for (const [place, record] of (await imports.listImportsOf(dataset)).entries()) {
    if (record.number === except || !canImportBeCleared(record)) continue;
    const isRecentUndo = record.state === 'undone' && place < IMPORTS_WITH_KEYS;
    const hasKeys = isRecentUndo && (await clearEntryBodies(imports, record, signal));
    const state = record.state === 'live' || hasKeys ? 'seen' : undefined;
    while ((await imports.removeEntriesOf(record.number, PAGE, state)) > 0) await pauseWhileClearing(signal);
  }
}

async function pauseWhileClearing(signal: AbortSignal): Promise<void> {
  await pauseForRequests();
  signal.throwIfAborted();
}

/** Replaces the entries by `removed` ones, without content.
 *  @returns false for a large import, or one of concepts, after which hosts read everything anew */
async function clearEntryBodies(imports: ImportRepository, { number, counts }: ImportRecord, signal: AbortSignal) {
  if (countImportChanges(counts) > MAX_OVERLAY_OBJECTS) return false;
  const entries = await imports.findEntriesOf(number, 2 * MAX_OVERLAY_OBJECTS + 1);
  if (entries.length > 2 * MAX_OVERLAY_OBJECTS || entries.some(({ kind }) => kind === 'concept')) return false;
  const keys = entries.filter(({ state }) => state === 'put').map((entry) => toRemovedEntry(entry, number));
  for (let start = 0; start < keys.length; start += PAGE) {
    await imports.putEntries(keys.slice(start, start + PAGE));
    await pauseWhileClearing(signal);
  }
  return true;
}

/** Removes entries below imports that are too old to be undone, but none that could be live. */
async function clearOldImports(imports: ImportRepository, dataset: string, signal: AbortSignal): Promise<void> {
  // Records are marked before anything is removed.
  if (!(await markNotUndoable(imports, dataset))) return;
  const [newestOld] = await imports.listLiveOf(dataset, { skip: UNDOABLE_IMPORTS, limit: 1 });
  if (newestOld === undefined) return;
  const live = new Set((await imports.listLive()).map(({ number }) => number));
  const isOld = ({ importNumber }: EntryPlace) => importNumber <= newestOld.number && live.has(importNumber);
  await clearPages(imports, readHiddenEntries(imports, dataset, isOld), signal);
  const numbersInUse = new Set<number>();
  await clearPages(imports, readOldRemovals(imports, dataset, { isOld, numbersInUse }), signal);
  await markReplaced(imports, { dataset, before: newestOld.number, numbersInUse });
}

/** Marks imports that are too old to be undone. @returns whether one of them was not marked yet */
async function markNotUndoable(imports: ImportRepository, dataset: string): Promise<boolean> {
  let hasMarked = false;
  for (let skip = UNDOABLE_IMPORTS; ; skip++) {
    const [record] = await imports.listLiveOf(dataset, { skip, limit: 1 });
    if (record === undefined || !record.isUndoable) return hasMarked;
    // If another call has changed the record, it is read once more.
    if ((await changeImportRecord(imports, record, { isUndoable: false })) === null) skip--;
    else hasMarked = true;
  }
}

/** Marks live imports without entries. The newest one that cannot be undone stays for all below. */
async function markReplaced(
  imports: ImportRepository,
  old: { readonly dataset: string; readonly before: number; readonly numbersInUse: ReadonlySet<number> },
): Promise<void> {
  for (const { id, number, dataset } of await imports.listLive()) {
    if (dataset !== old.dataset || number >= old.before || old.numbersInUse.has(number)) continue;
    const record = await imports.findImport(id);
    if (record?.state === 'live') await changeImportRecord(imports, record, { state: 'replaced' });
  }
}

async function clearPages(
  imports: ImportRepository,
  pages: AsyncIterable<readonly EntryPlace[]>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of pages) {
    for (let start = 0; start < page.length; start += PAGE) {
      await imports.removeEntries(page.slice(start, start + PAGE));
      await pauseWhileClearing(signal);
    }
  }
}

type IsOld = (place: EntryPlace) => boolean;

/** Reads old entries that a later old one of the same part hides. */
async function* readHiddenEntries(imports: ImportRepository, dataset: string, isOld: IsOld) {
  let last: ImportEntry | null = null;
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: false })) {
    const hidden: EntryPlace[] = [];
    for (const entry of page.filter(isOld)) {
      if (last !== null && writeEntryPart(last) === writeEntryPart(entry)) hidden.push(last);
      last = entry;
    }
    yield hidden;
  }
}

/** Reads old `removed` entries, which hide nothing; adds imports of others to `numbersInUse`. */
async function* readOldRemovals(
  imports: ImportRepository,
  dataset: string,
  { isOld, numbersInUse }: { readonly isOld: IsOld; readonly numbersInUse: Set<number> },
) {
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: false })) {
    for (const { state, importNumber } of page) if (state !== 'removed') numbersInUse.add(importNumber);
    yield page.filter((entry) => entry.state === 'removed' && isOld(entry));
  }
}
