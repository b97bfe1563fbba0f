import type { ImportedChanges, ImportedRecord } from '#ports/imports';
import type { ImportEntry, ImportRecord, ImportRepository, LiveImport } from '#ports/store/store';
import { letOthersRun } from './imports/entry-order.ts';
import { countImportChanges } from './imports/import-records.ts';

export interface ImportedChangesDeps {
  readonly imports: Pick<
    ImportRepository,
    'listLive' | 'listLiveOf' | 'listImportsOf' | 'findImport' | 'findEntries' | 'findEntriesOf'
  >;
  /** All that count now. */
  readProviders(): Promise<readonly ImportedRecord[]>;
}

export interface ChangesRequest {
  /** As `writeImportsVersion` wrote it. */
  readonly before: string;
  readonly most: number;
}

/** Each time a try fails, something else was imported meanwhile. */
const TRIES = 5;
/** With bodies. */
const KEYS_AT_ONCE = 200;

/** The newest import of a dataset stands for those below it: it was begun on top of exactly those, and only it can be undone.
 *  Not identified by its number, which may repeat after a backup was restored. */
export function writeImportsVersion(live: readonly LiveImport[]): string {
  return [...listNewest(live).values()]
    .map(({ id }) => id)
    .sort()
    .join(' ');
}

/** Tells what is other from the imports that were added or undone since. Null where one of them can no longer be told, brings
 *  concepts, or is too large. */
export async function findImportedChanges(
  deps: ImportedChangesDeps,
  request: ChangesRequest,
): Promise<ImportedChanges | null> {
  for (let tried = 0; tried < TRIES; tried++) {
    const live = await deps.imports.listLive();
    const found = await tellChanges(deps, live, request);
    if (found === null || found.imports === writeImportsVersion(await deps.imports.listLive())) return found;
  }
  return null;
}

async function tellChanges(
  { imports, readProviders }: ImportedChangesDeps,
  live: readonly LiveImport[],
  { before, most }: ChangesRequest,
): Promise<ImportedChanges | null> {
  const touched = await findTouched(imports, live, before);
  const sum = (touched ?? []).reduce((total, { counts }) => total + countImportChanges(counts), 0);
  if (touched === null || sum > most) return null;
  const said = await findSaid(imports, touched, most);
  if (said === null) return null;
  return {
    imports: writeImportsVersion(live),
    objects: await findObjects(imports, live, said.keys),
    providers: said.hasProviders ? await readProviders() : null,
  };
}

function listNewest(live: readonly LiveImport[]): ReadonlyMap<string, LiveImport> {
  return new Map(live.map((each) => [each.dataset, each]));
}

/** The imports that count now and did not then, or the other way round; also some that did neither. */
async function findTouched(
  imports: ImportedChangesDeps['imports'],
  live: readonly LiveImport[],
  before: string,
): Promise<readonly ImportRecord[] | null> {
  const newest = [...listNewest(live).values()];
  const then = before === '' ? [] : before.split(' ');
  const others = new Map<string, ImportRecord>();
  for (const id of then) {
    if (newest.some((each) => each.id === id)) continue;
    const record = await imports.findImport(id);
    if (record === null) return null;
    others.set(record.dataset, record);
  }
  const added = newest.filter(({ id }) => !then.includes(id)).map(({ dataset }) => dataset);
  const touched: ImportRecord[] = [];
  for (const dataset of new Set([...others.keys(), ...added])) {
    const own = live.filter((each) => each.dataset === dataset);
    const found = await findTouchedOf(imports, own, { dataset, newestThen: others.get(dataset) ?? null });
    if (found === null) return null;
    touched.push(...found);
  }
  return touched;
}

/** More of a dataset can no longer be told: see `clear.ts`. */
const MOST_OF_DATASET = 20;

async function findTouchedOf(
  imports: ImportedChangesDeps['imports'],
  live: readonly LiveImport[],
  { dataset, newestThen }: { readonly dataset: string; readonly newestThen: ImportRecord | null },
): Promise<readonly ImportRecord[] | null> {
  const { number: last, state } = newestThen ?? { number: 0, state: 'live' };
  if (state !== 'live' && state !== 'undone') return null;
  const later = live.filter(({ number }) => number > last).length;
  if (later > MOST_OF_DATASET) return null;
  const added = later === 0 ? [] : await imports.listLiveOf(dataset, { skip: 0, limit: later });
  // What can no longer be undone may have lost what says that something was removed.
  if (!added.every(({ isUndoable, number }) => isUndoable && number > last)) return null;
  if (state === 'live') return added;
  const base = Math.max(0, ...live.map(({ number }) => number).filter((number) => number <= last));
  const recent = await imports.listImportsOf(dataset, MOST_OF_DATASET);
  const isWhole = recent.length < MOST_OF_DATASET || (recent.at(-1)?.number ?? 0) <= base;
  const undone = recent.filter(
    (each) => each.state === 'undone' && each.number > base && each.number <= last,
  );
  return isWhole ? [...added, ...undone] : null;
}

/** The objects that imports say something of. Null where what they said is not all there, or not all of objects. */
async function findSaid(
  imports: ImportedChangesDeps['imports'],
  touched: readonly ImportRecord[],
  most: number,
): Promise<{ readonly keys: readonly string[]; readonly hasProviders: boolean } | null> {
  const keys = new Set<string>();
  let hasProviders = false;
  for (const { number, counts } of touched) {
    // At most as many providers as objects.
    const entries = await imports.findEntriesOf(number, 2 * most + 1);
    const own = new Set(entries.filter(({ kind }) => kind === 'object').map(({ key }) => key));
    const isOdd = entries.some(({ kind, part }) => kind === 'concept' || part !== '');
    const isWhole =
      entries.length > 0 && entries.length <= 2 * most && own.size === countImportChanges(counts);
    if (isOdd || !isWhole) return null;
    for (const key of own) keys.add(key);
    hasProviders ||= entries.length > own.size;
    await letOthersRun();
  }
  return { keys: [...keys], hasProviders };
}

/** Of each, what the newest entry that counts says. */
async function findObjects(
  imports: ImportedChangesDeps['imports'],
  live: readonly LiveImport[],
  keys: readonly string[],
): Promise<ReadonlyMap<string, ImportedRecord | null>> {
  const objects = new Map<string, ImportedRecord | null>(keys.map((key) => [key, null]));
  const numbers = new Set(live.map(({ number }) => number));
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const wanted = keys.slice(start, start + KEYS_AT_ONCE);
    const parts = wanted.map((key) => ({ kind: 'object', key, part: '' }) as const);
    const said = new Map<string, ImportEntry>();
    for (const dataset of listNewest(live).keys()) {
      const entries = await imports.findEntries(dataset, parts, { withBodies: true });
      for (const [key, entry] of listCounting(entries, numbers)) {
        if (entry.importNumber > (said.get(key)?.importNumber ?? 0)) said.set(key, entry);
      }
      await letOthersRun();
    }
    for (const [key, { body }] of said) objects.set(key, body && { kind: 'object', key, parts: [body] });
  }
  return objects;
}

/** What one dataset has of each key: none where it was removed. */
function listCounting(entries: readonly ImportEntry[], live: ReadonlySet<number>): Map<string, ImportEntry> {
  const latest = new Map<string, ImportEntry>();
  for (const entry of entries) {
    if (!live.has(entry.importNumber) || entry.state === 'seen') continue;
    if (entry.importNumber > (latest.get(entry.key)?.importNumber ?? 0)) latest.set(entry.key, entry);
  }
  for (const [key, { body }] of latest) if (body === null) latest.delete(key);
  return latest;
}
