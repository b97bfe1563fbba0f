import { isDeepStrictEqual } from 'node:util';
import type { LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import type { CatalogCounts } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { ImportedCatalog, ImportedChanges, ImportedRecord } from '#ports/imports';
import type { Starter } from '../starter.ts';
import type { FoundTopics } from '../topics/topics.ts';
import { layProviderOver, makeUpProvider, readImportedObject } from '../versions/merge-imports.ts';
import type { KnownRecord } from '../versions/records-file.ts';
import { type CatalogSummary, createVersionCatalogCounter, MOST_TOLD } from '../versions/version-files.ts';
import type { VersionObjects } from '../versions/version-objects.ts';

/** An object as a build would have it now. */
export type LaidObject = KnownRecord & { readonly topics: FoundTopics };

/** What is other than in a version. */
export interface VersionChanges {
  /** Version of what is imported with them. */
  readonly imported: string;
  /** By address; null for what is no longer there. */
  readonly objects: ReadonlyMap<string, LaidObject | null>;
  /** The version's objects that are other, or gone, by their addresses. */
  readonly replaced: ReadonlyMap<string, KnownRecord>;
  /** All of them, by their ids. */
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly counts: CatalogCounts;
  /** From what they were found: what changes later is added to it. */
  readonly told: Told;
}

/** What was said since a version was built. */
interface Told {
  readonly imports: string;
  /** By their keys, what objects are now, also those that are as they were. */
  readonly objects: ImportedChanges['objects'];
  /** All of them; null while none is other. */
  readonly providers: ImportedChanges['providers'];
  readonly dead: ReadonlySet<string>;
}

/** A version as it was built. */
export interface BuiltVersion {
  readonly summary: Pick<CatalogSummary, 'state' | 'providers' | 'counts'>;
  readonly version: Pick<VersionObjects, 'findRecords'>;
}

export interface FindChangesDeps {
  readonly imported: ImportedCatalog;
  readonly built: BuiltVersion;
  /** Those found before, since the same version; null for none. */
  readonly before: VersionChanges | null;
  /** More are not laid over. */
  readonly most: number;
  readonly starter: Starter;
}

/** `later`: something else was imported meanwhile. */
type FoundChanges = VersionChanges | 'later' | null;

/** So many records are read, or objects looked at, before others get their turn. */
const AT_ONCE = 50;

/** What changed since a version was built, exactly as if it were built now. Null where that is too much, or cannot be told. Costs as
 *  much as what changed since `before`. Errors: those of the store, of reading records, and CATALOG_INVALID. */
export async function findVersionChanges(deps: FindChangesDeps): Promise<FoundChanges> {
  const { imported, built, most, before } = deps;
  const version = await imported.version();
  const { state } = built.summary;
  const more = before && (await findTold(imported, state, { most, before: before.told }));
  const found = more ?? (await findTold(imported, state, { most, before: null }));
  if (found === null) return null;
  const { told } = found;
  const known = more === null ? null : before;
  const objects = await findObjects(deps, { ...found, known });
  if (objects === null) return null;
  if ((await imported.version()) !== version) return 'later';
  const counter = createVersionCatalogCounter(built.summary.counts);
  for (const { record } of objects.replaced.values()) counter.removeObject(record);
  for (const laid of objects.objects.values()) if (laid !== null) counter.addObject(laid.record);
  const counts = counter.finish();
  return {
    imported: version,
    ...objects,
    providers: findProviders(deps, told.providers, counts),
    counts,
    told,
  };
}

/** Whether what changed since is little enough to be laid over the version. */
export async function isChangeSmall(
  imported: ImportedCatalog,
  state: CatalogSummary['state'],
  most: number,
): Promise<boolean> {
  return (await findTold(imported, state, { most, before: null })) !== null;
}

interface FoundTold {
  readonly told: Told;
  /** Spellings of the addresses of what may have changed since what was told before. */
  readonly turned: readonly string[];
}

async function findTold(
  imported: ImportedCatalog,
  state: CatalogSummary['state'],
  { most, before }: { readonly most: number; readonly before: Told | null },
): Promise<FoundTold | null> {
  const dead = await imported.listDeadLinks(MOST_TOLD);
  if (dead === null || state.dead === null) return null;
  const deadThen = new Set(state.dead);
  const since = before ?? { imports: state.imports, objects: new Map(), providers: null, dead: deadThen };
  const changes = await imported.changesSince(since.imports, most);
  if (changes === null) return null;
  const objects = new Map([...since.objects, ...changes.objects]);
  if (objects.size > most || listOthers(dead, deadThen).length > most) return null;
  return {
    told: { imports: changes.imports, objects, providers: changes.providers ?? since.providers, dead },
    turned: [...changes.objects.keys(), ...listOthers(dead, since.dead)],
  };
}

/** What only one of both has. */
function listOthers(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  if (one === other) return [];
  return [...one].filter((url) => !other.has(url)).concat([...other].filter((url) => !one.has(url)));
}

interface FoundObjects {
  readonly objects: Map<string, LaidObject | null>;
  readonly replaced: Map<string, KnownRecord>;
}

/** @param known what is found already, but for what has turned */
async function findObjects(
  { built, starter }: FindChangesDeps,
  { told, turned, known }: FoundTold & { readonly known: VersionChanges | null },
): Promise<FoundObjects | null> {
  const { state } = built.summary;
  const covered = state.covered && new Set(state.covered.map(normalizeObjectAddress));
  const said = groupByAddress(told.objects, turned);
  const found = { objects: new Map(known?.objects), replaced: new Map(known?.replaced) };
  const all = [...said];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = all.slice(start, start + AT_ONCE);
    const records = await built.version.findRecords(some.map(([, { url }]) => url));
    for (const [address, { url, own }] of some) {
      const before = records.get(url) ?? null;
      const counting = findCounting(before, own, covered === null || covered.has(address));
      if (counting === undefined) return null;
      const record = counting?.record ?? starter.findObject(address);
      const now = record && {
        ...{ record, isImported: counting !== null, isDead: told.dead.has(record.url) },
      };
      found.objects.delete(address);
      found.replaced.delete(address);
      if (isSame(before, now)) continue;
      if (before !== null) found.replaced.set(address, before);
      found.objects.set(address, now && { ...now, topics: starter.findTopics(now.record) });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

interface SaidOfAddress {
  /** One of its spellings. */
  readonly url: string;
  /** By key; null for what is not there, or of no use. */
  readonly own: Map<string, LearningObjectRecord | null>;
}

/** Of the addresses of which something has turned. */
function groupByAddress(
  objects: ImportedChanges['objects'],
  turned: readonly string[],
): ReadonlyMap<string, SaidOfAddress> {
  const said = new Map<string, SaidOfAddress>();
  for (const url of turned) {
    const address = normalizeObjectAddress(url);
    if (!said.has(address)) said.set(address, { url, own: new Map() });
  }
  for (const [key, imported] of objects)
    said.get(normalizeObjectAddress(key))?.own.set(key, imported && readImportedObject(imported));
  return said;
}

/** The imported object that counts at an address: of several spellings, the first in the order of the keys. Null for none; undefined
 *  where that would be one of which only the address is known.
 *  @param before what counted, whose key comes before those of all others that were there */
function findCounting(
  before: KnownRecord | null,
  said: SaidOfAddress['own'],
  isOtherUnknown: boolean,
): { readonly record: LearningObjectRecord } | null | undefined {
  const own = before?.isImported === true ? before.record : null;
  const isOwnGone = own !== null && said.get(own.url) === null;
  if (isOwnGone && isOtherUnknown) return undefined;
  const there = [...said.values()].filter((record) => record !== null);
  if (own !== null && !said.has(own.url)) there.push(own);
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
  const described =
    imported === null ? providers.filter(({ id }) => !madeUp.has(id)) : starter.listProviders();
  const found = new Map(described.map((record) => [record.id, record]));
  for (const record of imported ?? []) layProviderOver(found, record);
  const unknown = [...counts.providers.keys()].filter((id) => !found.has(id)).sort();
  for (const id of unknown) found.set(id, makeUpProvider(id));
  return found;
}
