import type { ImportedChanges, ImportedRecord } from '#ports/imports';
import type { ImportEntry, ImportRecord, ImportRepository, LiveImport } from '#ports/store/store';
import { pauseForRequests } from './imports/entry-order.ts';
import { countImportChanges } from './imports/import-records.ts';

/** Writes the ids of the newest import of each dataset, which is undone before the older ones.
 *  Numbers would not do, as they may repeat after a backup was restored. */
export function writeImportsVersion(live: readonly LiveImport[]): string {
  return [...findNewestByDataset(live).values()]
    .map(({ id }) => id)
    .sort()
    .join(' ');
}

export interface ImportedChangesDeps {
  readonly imports: Pick<
    ImportRepository,
    'listLive' | 'listLiveOf' | 'listImportsOf' | 'findImport' | 'findEntries' | 'findEntriesOf'
  >;
  readProviders(): Promise<readonly ImportedRecord[]>;
}

export interface ChangesRequest {
  /** Written by `writeImportsVersion`. */
  readonly before: string;
  /** Limit of the objects that may have changed. */
  readonly max: number;
}

/** Number of tries. One fails if something else is imported meanwhile. */
const MAX_TRIES = 5;

/** Returns null for too many changes, for concepts, and after entries of an import were cleared. */
export async function findImportedChanges(
  deps: ImportedChangesDeps,
  request: ChangesRequest,
): Promise<ImportedChanges | null> {
  const { imports } = deps;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const live = await imports.listLive();
    const changes = await readImportedChanges(deps, live, request);
    if (changes === null || changes.imports === writeImportsVersion(await imports.listLive())) return changes;
  }
  return null;
}

async function readImportedChanges(
  { imports, readProviders }: ImportedChangesDeps,
  live: readonly LiveImport[],
  { before, max }: ChangesRequest,
): Promise<ImportedChanges | null> {
  const changed = await listImportsWithChanges(imports, live, before);
  if (changed === null) return null;
  const total = changed.reduce((sum, { counts }) => sum + countImportChanges(counts), 0);
  const keys = total > max ? null : await listChangedKeys(imports, changed, max);
  if (keys === null) return null;
  return {
    imports: writeImportsVersion(live),
    objects: await readChangedObjects(imports, live, keys.objects),
    providers: keys.hasProviders ? await readProviders() : null,
  };
}

type Imports = ImportedChangesDeps['imports'];

/** @param live in the order of their numbers */
function findNewestByDataset(live: readonly LiveImport[]): ReadonlyMap<string, LiveImport> {
  return new Map(live.map((record) => [record.dataset, record]));
}

/** Lists imports that became live or were undone since, or both. Null if that is not known. */
async function listImportsWithChanges(imports: Imports, live: readonly LiveImport[], before: string) {
  const newest = [...findNewestByDataset(live).values()];
  const idsBefore = before === '' ? [] : before.split(' ');
  const newestBefore = new Map<string, ImportRecord>();
  for (const id of idsBefore) {
    if (newest.some((record) => record.id === id)) continue;
    const record = await imports.findImport(id);
    if (record === null) return null;
    newestBefore.set(record.dataset, record);
  }
  const added = newest.filter(({ id }) => !idsBefore.includes(id)).map(({ dataset }) => dataset);
  const changed: ImportRecord[] = [];
  for (const dataset of new Set([...newestBefore.keys(), ...added])) {
    const liveOfDataset = live.filter((record) => record.dataset === dataset);
    const changedOfDataset = await listImportChanges(imports, liveOfDataset, {
      dataset,
      newestBefore: newestBefore.get(dataset) ?? null,
    });
    if (changedOfDataset === null) return null;
    changed.push(...changedOfDataset);
  }
  return changed;
}

const MAX_OF_DATASET = 20;

async function listImportChanges(
  imports: Imports,
  live: readonly LiveImport[],
  { dataset, newestBefore }: { readonly dataset: string; readonly newestBefore: ImportRecord | null },
): Promise<readonly ImportRecord[] | null> {
  const { number: last, state } = newestBefore ?? { number: 0, state: 'live' };
  if (state !== 'live' && state !== 'undone') return null;
  const later = live.filter(({ number }) => number > last).length;
  if (later > MAX_OF_DATASET) return null;
  const added = later === 0 ? [] : await imports.listLiveOf(dataset, { skip: 0, limit: later });
  // An import that cannot be undone any more may have lost the entries that remove something.
  if (!added.every(({ isUndoable, number }) => isUndoable && number > last)) return null;
  if (state === 'live') return added;
  const base = Math.max(0, ...live.map(({ number }) => number).filter((number) => number <= last));
  const recent = await imports.listImportsOf(dataset, MAX_OF_DATASET);
  const reachesBase = recent.length < MAX_OF_DATASET || (recent.at(-1)?.number ?? 0) <= base;
  const undone = recent.filter((record) => record.state === 'undone' && record.number > base && record.number <= last);
  return reachesBase ? [...added, ...undone] : null;
}

/** Lists the keys that occur in imports. Null if entries are missing, or are of concepts. */
async function listChangedKeys(imports: Imports, changed: readonly ImportRecord[], max: number) {
  // An import has at most as many providers as objects.
  const maxEntries = 2 * max;
  const objects = new Set<string>();
  let hasProviders = false;
  for (const { number, counts } of changed) {
    const entries = await imports.findEntriesOf(number, maxEntries + 1);
    const keys = new Set(entries.filter(({ kind }) => kind === 'object').map(({ key }) => key));
    const isComplete = entries.length > 0 && entries.length <= maxEntries && keys.size === countImportChanges(counts);
    if (!isComplete || entries.some(({ kind, part }) => kind === 'concept' || part !== '')) return null;
    for (const key of keys) objects.add(key);
    hasProviders ||= entries.length > keys.size;
    await pauseForRequests();
  }
  return { objects: [...objects], hasProviders };
}

const BATCH = 200;

/** Reads the latest objects from the newest live entry of any dataset; null for a removed one. */
async function readChangedObjects(imports: Imports, live: readonly LiveImport[], keys: readonly string[]) {
  const objects = new Map<string, ImportedRecord | null>(keys.map((key) => [key, null]));
  const numbers = new Set(live.map(({ number }) => number));
  for (let start = 0; start < keys.length; start += BATCH) {
    const parts = keys.slice(start, start + BATCH).map((key) => ({ kind: 'object', key, part: '' }) as const);
    const newest = new Map<string, ImportEntry>();
    for (const dataset of findNewestByDataset(live).keys()) {
      const entries = await imports.findEntries(dataset, parts, { withBodies: true });
      for (const entry of newestByKey(entries, numbers).values())
        if (entry.body !== null && isNewer(entry, newest.get(entry.key))) newest.set(entry.key, entry);
      await pauseForRequests();
    }
    for (const [key, { body }] of newest) objects.set(key, body && { kind: 'object', key, parts: [body] });
  }
  return objects;
}

/** Returns the newest live entry of each key, with a null body if the object was removed. */
function newestByKey(entries: readonly ImportEntry[], live: ReadonlySet<number>): ReadonlyMap<string, ImportEntry> {
  const newest = new Map<string, ImportEntry>();
  for (const entry of entries) {
    if (!live.has(entry.importNumber) || entry.state === 'seen') continue;
    if (isNewer(entry, newest.get(entry.key))) newest.set(entry.key, entry);
  }
  return newest;
}

function isNewer(entry: ImportEntry, other: ImportEntry | undefined): boolean {
  return entry.importNumber > (other?.importNumber ?? 0);
}
