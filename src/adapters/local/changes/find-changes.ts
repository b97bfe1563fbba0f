import { isDeepStrictEqual } from 'node:util';
import type { CatalogCounts } from '../../../domain/catalog.ts';
import { normalizeObjectAddress } from '../../../domain/learning-object.ts';
import type { ImportedCatalog, ImportedChanges, ImportedRecord } from '../../../ports/imports.ts';
import type { LearningObjectRecord, ProviderRecord } from '../../catalog/catalog-schema.ts';
import type { FoundTopics } from '../browsing/topics.ts';
import { layProviderOver, makeUpProvider, readImportedObject } from '../overlay.ts';
import type { KnownRecord } from '../records-file.ts';
import { type CatalogSummary, createVersionCatalogCounter, MOST_TOLD } from '../version-files.ts';
import type { VersionObjects } from '../version-objects.ts';
import type { Starter } from './starter.ts';

/** An object as a build would have it now. */
export type LaidObject = KnownRecord & { readonly topics: FoundTopics };

/** What is other than in a version. */
export interface VersionChanges {
  /** Version of what is imported with them. */
  readonly imported: string;
  /** By address; null for what is no longer there. */
  readonly objects: ReadonlyMap<string, LaidObject | null>;
  /** Ids of the version's objects that are other, or gone. */
  readonly replaced: readonly string[];
  /** All of them, by their ids. */
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly counts: CatalogCounts;
}

/** A version as it was built. */
export interface BuiltVersion {
  readonly summary: Pick<CatalogSummary, 'state' | 'providers' | 'counts'>;
  readonly version: Pick<VersionObjects, 'findRecords'>;
}

export interface FindChangesDeps {
  readonly imported: ImportedCatalog;
  readonly built: BuiltVersion;
  /** More are not laid over. */
  readonly most: number;
  starter(): Starter;
}

/** `later`: something else was imported meanwhile. */
type FoundChanges = VersionChanges | 'later' | null;

/** So many records are read, or objects looked at, before others get their turn. */
const AT_ONCE = 200;

/** What changed since a version was built, exactly as if it were built now. Null where that is too much, or cannot be told.
 *  Errors: those of the store, of reading records, and CATALOG_INVALID. */
export async function findVersionChanges(deps: FindChangesDeps): Promise<FoundChanges> {
  const { imported, built, most } = deps;
  const version = await imported.version();
  const told = await findTold(imported, built.summary.state, most);
  if (told === null) return null;
  const found = await findObjects(deps, told);
  if (found === null) return null;
  if ((await imported.version()) !== version) return 'later';
  const counter = createVersionCatalogCounter(built.summary.counts);
  for (const { record } of found.replaced) counter.removeObject(record);
  for (const laid of found.objects.values()) if (laid !== null) counter.addObject(laid.record);
  const counts = counter.finish();
  return {
    imported: version,
    objects: found.objects,
    replaced: found.replaced.map(({ record }) => record.url),
    providers: findProviders(deps, told.changes.providers, counts),
    counts,
  };
}

/** Whether what changed since is little enough to be laid over the version. */
export async function isChangeSmall(
  imported: ImportedCatalog,
  state: CatalogSummary['state'],
  most: number,
): Promise<boolean> {
  return (await findTold(imported, state, most)) !== null;
}

/** What may have changed. */
interface Told {
  readonly changes: ImportedChanges;
  /** Addresses that were found dead since, or that answer again. */
  readonly turned: readonly string[];
  readonly dead: ReadonlySet<string>;
}

async function findTold(
  imported: ImportedCatalog,
  state: CatalogSummary['state'],
  most: number,
): Promise<Told | null> {
  const dead = await imported.listDeadLinks(MOST_TOLD);
  if (dead === null || state.dead === null) return null;
  const before = new Set(state.dead);
  const turned = [...dead]
    .filter((url) => !before.has(url))
    .concat(state.dead.filter((url) => !dead.has(url)));
  if (turned.length > most) return null;
  const changes = await imported.changesSince(state.imports, most);
  return changes && { changes, turned, dead };
}

interface FoundObjects {
  readonly objects: Map<string, LaidObject | null>;
  readonly replaced: KnownRecord[];
}

async function findObjects(
  { built, starter }: FindChangesDeps,
  { changes, turned, dead }: Told,
): Promise<FoundObjects | null> {
  const { state } = built.summary;
  const covered = state.covered && new Set(state.covered.map(normalizeObjectAddress));
  const said = groupByAddress(changes.objects);
  for (const url of turned) {
    const address = normalizeObjectAddress(url);
    if (!said.has(address)) said.set(address, { url, records: new Map() });
  }
  const found: FoundObjects = { objects: new Map(), replaced: [] };
  const all = [...said];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = all.slice(start, start + AT_ONCE);
    const known = await built.version.findRecords(some.map(([, { url }]) => url));
    for (const [address, { url, records }] of some) {
      const before = known.get(url) ?? null;
      const isOtherUnknown = covered === null || covered.has(address);
      const counting = findCounting(before, records, isOtherUnknown);
      if (counting === undefined) return null;
      const record = counting?.record ?? starter().findObject(address);
      const now = record && {
        ...{ record, isImported: counting !== null, isDead: dead.has(record.url) },
      };
      if (isSame(before, now)) continue;
      if (before !== null) found.replaced.push(before);
      found.objects.set(address, now && { ...now, topics: starter().findTopics(now.record) });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

interface SaidOfAddress {
  /** One of its spellings. */
  readonly url: string;
  /** By key; null for what is not there, or of no use. */
  readonly records: Map<string, LearningObjectRecord | null>;
}

function groupByAddress(objects: ImportedChanges['objects']): Map<string, SaidOfAddress> {
  const said = new Map<string, SaidOfAddress>();
  for (const [key, imported] of objects) {
    const address = normalizeObjectAddress(key);
    const own = said.get(address) ?? { url: key, records: new Map() };
    said.set(address, own);
    own.records.set(key, imported && readImportedObject(imported));
  }
  return said;
}

/** The imported object that counts at an address: of several spellings, the first in the order of the keys. Null for none; undefined
 *  where that would be one of which only the address is known.
 *  @param before what counted, whose key comes before those of all others that were there */
function findCounting(
  before: KnownRecord | null,
  records: SaidOfAddress['records'],
  isOtherUnknown: boolean,
): { readonly record: LearningObjectRecord } | null | undefined {
  const own = before?.isImported === true ? before.record : null;
  const isOwnGone = own !== null && records.has(own.url) && records.get(own.url) === null;
  if (isOwnGone && isOtherUnknown) return undefined;
  const there = [...records.values()].filter((record) => record !== null);
  if (own !== null && !records.has(own.url)) there.push(own);
  const [first] = there.sort((a, b) => Buffer.compare(Buffer.from(a.url), Buffer.from(b.url)));
  return first === undefined ? null : { record: first };
}

function isSame(before: KnownRecord | null, now: KnownRecord | null): boolean {
  if (before === null || now === null) return before === now;
  const { isDead, isImported, record } = before;
  return isDead === now.isDead && isImported === now.isImported && isDeepStrictEqual(record, now.record);
}

/** @param imported all of them; null where they are as they were */
function findProviders(
  { built, starter }: Pick<FindChangesDeps, 'built' | 'starter'>,
  imported: readonly ImportedRecord[] | null,
  counts: CatalogCounts,
): ReadonlyMap<string, ProviderRecord> {
  const { state, providers } = built.summary;
  const madeUp = new Set(state.madeUp);
  const described = imported === null ? providers.filter(({ id }) => !madeUp.has(id)) : starter().providers;
  const found = new Map(described.map((record) => [record.id, record]));
  for (const record of imported ?? []) layProviderOver(found, record);
  const unknown = [...counts.providers.keys()].filter((id) => !found.has(id)).sort();
  for (const id of unknown) found.set(id, makeUpProvider(id));
  return found;
}
