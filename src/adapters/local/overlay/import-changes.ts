import { isDeepStrictEqual } from 'node:util';
import type { LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import type { CatalogCounts } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import { compareKeyBytes } from '#domain/record-key';
import type { ImportedCatalog, ImportedChanges, ImportedRecord } from '#ports/imports';
import type { StarterReader } from '../starter-catalog.ts';
import type { ObjectTopics } from '../topics/topics.ts';
import { describeProviderFromId, mergeImportedProvider, readImportedObject } from '../versions/merge-imports.ts';
import type { StoredRecord } from '../versions/records-file.ts';
import { type CatalogSummary, createCatalogCounter, MAX_COMPARED } from '../versions/version-files.ts';
import { toVersionObject, type VersionObject, type VersionObjects } from '../versions/version-objects.ts';
import type { OverlayEntries, OverlayEntry } from './overlay.ts';

export interface ImportChanges {
  /** `ImportedCatalog.version()` with these changes. */
  readonly imported: string;
  readonly entries: OverlayEntries;
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly counts: CatalogCounts;
  /** The report from which the next search for changes continues. */
  readonly report: ChangeReport;
}

/** The changes since a version was built, as the store reports them. */
interface ChangeReport {
  readonly imports: string;
  /** The present state of objects by key; some of them may not have changed. */
  readonly objects: ImportedChanges['objects'];
  /** All imported providers; null if none has changed. */
  readonly providers: ImportedChanges['providers'];
  readonly dead: ReadonlySet<string>;
}

export interface BuiltVersion {
  readonly summary: Pick<CatalogSummary, 'state' | 'providers' | 'counts'>;
  readonly objects: Pick<VersionObjects, 'find'>;
}

interface ImportChangesOptions {
  readonly imported: ImportedCatalog;
  readonly built: BuiltVersion;
  /** The earlier result for the same version. */
  readonly previous: ImportChanges | null;
  /** The most objects in an overlay; with more, a new version has to be built. */
  readonly limit: number;
  readonly starter: StarterReader;
}

/** Finds the changes since a version was built; the version with these changes answers exactly as a
 *  new build. Its cost grows with the changes since `previous`. Shape: null if a new version has to
 *  be built: there are too many changes, or the store cannot determine them; `later` if another
 *  import ended meanwhile. Errors: those of the store and of reading records; CATALOG_INVALID. */
export async function findImportChanges(options: ImportChangesOptions): Promise<ImportChanges | 'later' | null> {
  const { imported, built, limit, previous } = options;
  const { summary } = built;
  const version = await imported.version();
  const next = previous && (await readImportReport(imported, summary.state, { limit, since: previous.report }));
  const latestReport = next ?? (await readImportReport(imported, summary.state, { limit, since: null }));
  if (latestReport === null) return null;
  const entries = new Map<string, OverlayEntry>(next === null ? [] : previous?.entries);
  if (!(await updateChangedEntries(entries, latestReport, options))) return null;
  if ((await imported.version()) !== version) return 'later';
  const counter = createCatalogCounter(summary.counts);
  for (const { base, object } of entries.values()) {
    if (base !== null) counter.removeObject(base.record);
    if (object !== null) counter.addObject(object.record);
  }
  const counts = counter.finish();
  const providers = mergeChangedProviders(options, latestReport.report.providers, counts);
  return { imported: version, entries, providers, counts, report: latestReport.report };
}

/** Whether `findImportChanges` would find few enough changes. */
export async function hasFewChanges(
  imported: ImportedCatalog,
  state: CatalogSummary['state'],
  limit: number,
): Promise<boolean> {
  return (await readImportReport(imported, state, { limit, since: null })) !== null;
}

interface ReadReport {
  readonly report: ChangeReport;
  /** Addresses, in any spelling, whose object may have changed since the earlier report. */
  readonly changedAddresses: readonly string[];
}

/** @param since an earlier report; null to report everything since the version was built */
async function readImportReport(
  imported: ImportedCatalog,
  state: CatalogSummary['state'],
  { limit, since }: { readonly limit: number; readonly since: ChangeReport | null },
): Promise<ReadReport | null> {
  const dead = await imported.listDeadLinks(MAX_COMPARED);
  if (dead === null || state.dead === null) return null;
  const builtDead = new Set(state.dead);
  const earlier = since ?? { imports: state.imports, objects: new Map(), providers: null, dead: builtDead };
  const changes = await imported.changesSince(earlier.imports, limit);
  if (changes === null) return null;
  const objects = new Map([...earlier.objects, ...changes.objects]);
  if (objects.size > limit || listDifferences(dead, builtDead).length > limit) return null;
  return {
    report: { imports: changes.imports, objects, providers: changes.providers ?? earlier.providers, dead },
    changedAddresses: [...changes.objects.keys(), ...listDifferences(dead, earlier.dead)],
  };
}

function listDifferences(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  if (a === b) return [];
  return [...a].filter((url) => !b.has(url)).concat([...b].filter((url) => !a.has(url)));
}

/** Records to read, or objects to compare, before other requests are answered. */
const BATCH = 50;

/** Updates the entries of the earlier report at the changed addresses.
 *  @returns false if the store cannot determine which object replaces another */
async function updateChangedEntries(
  entries: Map<string, OverlayEntry>,
  { report, changedAddresses }: ReadReport,
  { built, starter }: ImportChangesOptions,
): Promise<boolean> {
  const { duplicates } = built.summary.state;
  const duplicated = duplicates && new Set(duplicates.map(normalizeObjectAddress));
  const changed = [...groupChangesByAddress(report.objects, changedAddresses)];
  for (let start = 0; start < changed.length; start += BATCH) {
    const batch = changed.slice(start, start + BATCH);
    const baseObjects = await built.objects.find(batch.map(([, { url }]) => url));
    for (const [address, { url, imports }] of batch) {
      const base = baseObjects.get(url) ?? null;
      const hasDuplicates = duplicated === null || duplicated.has(address);
      const replacement = chooseImportedRecord(base, imports, hasDuplicates);
      if (replacement === undefined) return false;
      const record = replacement ?? starter.findObject(address);
      const isImported = replacement !== null;
      const object =
        record && createImportedObject({ record, isImported, isDead: report.dead.has(record.url) }, starter);
      entries.delete(address);
      if (!isSameObject(base, object)) entries.set(address, { base, object });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}

function createImportedObject(stored: StoredRecord, starter: StarterReader): VersionObject {
  let topics: ObjectTopics | undefined;
  return toVersionObject(stored, () => (topics ??= starter.findTopics(stored.record)));
}

interface AddressChanges {
  /** One of the spellings of the address. */
  readonly url: string;
  /** Changed records by key, that is by spelling; null for a removed or invalid object. */
  readonly imports: Map<string, LearningObjectRecord | null>;
}

function groupChangesByAddress(
  objects: ImportedChanges['objects'],
  changedAddresses: readonly string[],
): ReadonlyMap<string, AddressChanges> {
  const groups = new Map<string, AddressChanges>();
  for (const url of changedAddresses) {
    const address = normalizeObjectAddress(url);
    if (!groups.has(address)) groups.set(address, { url, imports: new Map() });
  }
  for (const [key, object] of objects)
    groups.get(normalizeObjectAddress(key))?.imports.set(key, object && readImportedObject(object));
  return groups;
}

/** Returns the imported object that is searched at an address: of several spellings, the first in
 *  byte order of the keys. Null for none; undefined if it may be one that the build omitted as a
 *  duplicate, whose record is unknown.
 *  @param base the object of the version, whose key comes before those of all duplicates */
function chooseImportedRecord(
  base: VersionObject | null,
  imports: AddressChanges['imports'],
  hasDuplicates: boolean,
): LearningObjectRecord | null | undefined {
  const built = base?.origin === 'import' ? base.record : null;
  if (built !== null && imports.get(built.url) === null && hasDuplicates) return undefined;
  const candidates = [...imports.values()].filter((record) => record !== null);
  if (built !== null && !imports.has(built.url)) candidates.push(built);
  return candidates.sort((a, b) => compareKeyBytes(a.url, b.url))[0] ?? null;
}

function isSameObject(a: VersionObject | null, b: VersionObject | null): boolean {
  if (a === null || b === null) return a === b;
  return a.isDead === b.isDead && a.origin === b.origin && isDeepStrictEqual(a.record, b.record);
}

/** @param imported all imported providers; null if none has changed */
function mergeChangedProviders(
  { built, starter }: Pick<ImportChangesOptions, 'built' | 'starter'>,
  imported: readonly ImportedRecord[] | null,
  counts: CatalogCounts,
): ReadonlyMap<string, ProviderRecord> {
  const { state, providers } = built.summary;
  const undescribed = new Set(state.undescribedProviders);
  const described = imported === null ? providers.filter(({ id }) => !undescribed.has(id)) : starter.listProviders();
  const merged = new Map(described.map((record) => [record.id, record]));
  for (const record of imported ?? []) mergeImportedProvider(merged, record);
  const missing = [...counts.providers.keys()].filter((id) => !merged.has(id)).sort();
  for (const id of missing) merged.set(id, describeProviderFromId(id));
  return merged;
}
