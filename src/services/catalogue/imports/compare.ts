import type { ImportCounts } from '#domain/catalog';
import type { EntryPlace, ImportChange, ImportEntry, ImportRecord, ImportRepository } from '#ports/store/store';
import { PAGE } from './entry-order.ts';

export interface Comparison {
  readonly counts: Pick<ImportCounts, 'added' | 'changed' | 'unchanged' | 'removed'>;
  /** The first of each fate, at most 20. */
  readonly changes: readonly ImportChange[];
  /** Whether the catalogue would change; a renamed provider is counted nowhere else. */
  readonly isOther: boolean;
  /** Whether so much would be removed that the source is more likely broken. */
  readonly isShrinking: boolean;
}

export interface CompareOptions {
  readonly importNumber: number;
  readonly live: ReadonlySet<number>;
  readonly covers: readonly string[];
  /** Receives entries that the source lacks, in order, at most 1,000 at a time. */
  onRemoved(entries: readonly ImportEntry[]): Promise<void>;
  onPage(counts: Comparison['counts']): void;
}

const MAX_CHANGES = 20;
const FEW_RECORDS = 100;

/** Of few records, most may go on purpose, but not all. */
function isImportShrinking({ covered, gone }: { readonly covered: number; readonly gone: number }): boolean {
  return gone > 0 && (gone === covered || (gone > FEW_RECORDS && gone * 2 > covered));
}

interface PartFate {
  readonly place: ImportEntry;
  /** Null if it did not exist. */
  before: string | null;
  /** What the import says; null if it says nothing. */
  outcome: 'same' | 'other' | null;
}

/** Walks along live and staged entries, both in the order of `pages`, one record at a time. */
export async function compareImport(
  pages: AsyncIterable<readonly ImportEntry[]>,
  options: CompareOptions,
): Promise<Comparison> {
  const totals = { added: 0, changed: 0, unchanged: 0, removed: 0, covered: 0, gone: 0 };
  const changes: Record<ImportChange['fate'], ImportChange[]> = { added: [], changed: [], removed: [] };
  let isOther = false;
  let removed: ImportEntry[] = [];
  let fates: PartFate[] = [];

  const endRecord = () => {
    const outcome = judgeFates(fates, options.covers);
    fates = [];
    if (outcome === null) return;
    if (outcome.isCovered) totals.covered++;
    if (outcome.isGone) totals.gone++;
    for (const place of outcome.removed) removed.push(toRemovedEntry(place, options.importNumber));
    const { fate, kind, key } = outcome;
    if (fate === null) return;
    isOther ||= fate !== 'unchanged';
    // They come with their objects; nobody imports providers.
    if (kind === 'provider') return;
    totals[fate]++;
    if (fate !== 'unchanged' && changes[fate].length < MAX_CHANGES) changes[fate].push({ fate, kind, key });
  };
  const counts = () => {
    const { added, changed, unchanged, removed: gone } = totals;
    return { added, changed, unchanged, removed: gone };
  };
  const handOver = async (atLeast: number) => {
    while (removed.length >= atLeast) {
      await options.onRemoved(removed.slice(0, PAGE));
      removed = removed.slice(PAGE);
    }
  };

  for await (const page of pages) {
    for (const entry of page) {
      const last = fates.at(-1)?.place;
      if (last !== undefined && (last.key !== entry.key || last.kind !== entry.kind)) endRecord();
      addToFates(fates, entry, options);
    }
    await handOver(PAGE);
    options.onPage(counts());
  }
  if (fates.length > 0) endRecord();
  await handOver(1);
  const { added, changed, removed: gone } = changes;
  return {
    counts: counts(),
    changes: [...added, ...changed, ...gone],
    isOther,
    isShrinking: isImportShrinking(totals),
  };
}

/** Entries of a part come in the order of their imports, so a later one replaces those before. */
function addToFates(
  fates: PartFate[],
  entry: ImportEntry,
  { importNumber, live }: Pick<CompareOptions, 'importNumber' | 'live'>,
): void {
  const isOwn = entry.importNumber === importNumber;
  // It belongs to an import that was undone or broken off, and is being cleared.
  if (!isOwn && !live.has(entry.importNumber)) return;
  let fate = fates.at(-1);
  if (fate === undefined || fate.place.part !== entry.part || fate.place.key !== entry.key) {
    fate = { place: entry, before: null, outcome: null };
    fates.push(fate);
  }
  if (!isOwn) fate.before = entry.state === 'put' ? entry.hash : fate.before;
  if (!isOwn && entry.state === 'removed') fate.before = null;
  // Its own `removed` entry is left from an attempt that was broken off here.
  if (isOwn && entry.state === 'put') fate.outcome = entry.hash === fate.before ? 'same' : 'other';
  if (isOwn && entry.state === 'seen') fate.outcome = 'same';
}

function judgeFates(fates: readonly PartFate[], covers: readonly string[]) {
  const [first] = fates;
  if (first === undefined) return null;
  const isCoveredPart = ({ place }: PartFate) => covers.some((name) => place.part.startsWith(name));
  const before = fates.filter((fate) => fate.before !== null);
  const coveredBefore = before.filter(isCoveredPart);
  const gone = coveredBefore.filter(({ outcome }) => outcome === null);
  const isAfter = fates.some(({ outcome }) => outcome !== null) || gone.length < before.length;
  const isOther = gone.length > 0 || fates.some(({ outcome }) => outcome === 'other');
  const isInSource = fates.some(({ outcome }) => outcome !== null);
  return {
    kind: first.place.kind,
    key: first.place.key,
    removed: gone.map(({ place }) => place),
    isCovered: coveredBefore.length > 0,
    isGone:
      gone.length > 0 &&
      gone.length === coveredBefore.length &&
      !fates.some((fate) => fate.outcome !== null && isCoveredPart(fate)),
    fate: findFate({ isBefore: before.length > 0, isAfter, isOther, isInSource }),
  };
}

/** Null if the record does not concern this import. */
function findFate(is: {
  readonly isBefore: boolean;
  readonly isAfter: boolean;
  readonly isOther: boolean;
  readonly isInSource: boolean;
}): keyof Comparison['counts'] | null {
  if (!is.isBefore) return is.isAfter ? 'added' : null;
  if (!is.isAfter) return 'removed';
  if (is.isOther) return 'changed';
  return is.isInSource ? 'unchanged' : null;
}

/** The entry that records the removal of a part. */
export function toRemovedEntry({ kind, key, dataset, part }: ImportEntry, importNumber: number): ImportEntry {
  return { kind, key, dataset, part, importNumber, state: 'removed', hash: '', body: null };
}

/** A change in words, as far as the store has them. */
export interface DescribedChange extends ImportChange {
  /** Of an object its title, of a concept a label; the key where neither is known. */
  readonly name: string;
  /** Names of the fields that become others. */
  readonly fields: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;
const MAX_ENTRIES = 100;
/** Read at a time: most records have one or two, and what comes behind them belongs to others. */
const FEW_ENTRIES = 4;

/** What an import adds, changes and removes first. */
export async function describeComparedChanges(
  imports: Pick<ImportRepository, 'readEntries' | 'listLive'>,
  { dataset, number, comparedWith, changes }: ImportRecord,
): Promise<readonly DescribedChange[]> {
  const live = new Set((await imports.listLive()).map((each) => each.number));
  const isBefore = ({ importNumber }: ImportEntry) => importNumber <= comparedWith && live.has(importNumber);
  const described: DescribedChange[] = [];
  // One after another, as each may be large.
  for (const change of changes) {
    const { key } = change;
    const entries = await readComparedEntries(imports, { ...change, dataset });
    const before = takeLastOfParts(entries.filter(isBefore));
    const imported = takeLastOfParts(entries.filter((entry) => entry.importNumber === number));
    const name = findEntryName(Object.assign({}, ...before.values(), ...imported.values())) ?? key;
    described.push({
      ...change,
      name,
      fields: change.fate === 'changed' ? listDifferentFields(before, imported) : [],
    });
  }
  return described;
}

async function readComparedEntries(
  imports: Pick<ImportRepository, 'readEntries'>,
  { dataset, kind, key }: Pick<ImportEntry, 'dataset' | 'kind' | 'key'>,
): Promise<readonly ImportEntry[]> {
  const entries: ImportEntry[] = [];
  let after: EntryPlace = { dataset, kind, key, part: '', importNumber: 0 };
  while (entries.length < MAX_ENTRIES) {
    const read = await imports.readEntries({ dataset, after, limit: FEW_ENTRIES, withBodies: true });
    entries.push(...read.filter((entry) => entry.kind === kind && entry.key === key));
    const last = read.at(-1);
    if (last === undefined || last.kind !== kind || last.key !== key) break;
    after = last;
  }
  return entries;
}

type Parts = ReadonlyMap<string, Body>;

/** Entries come in the order of their parts, then of their imports. Seen entries change nothing. */
function takeLastOfParts(entries: readonly ImportEntry[]): Parts {
  const bodies = entries.filter(({ state }) => state !== 'seen').map(({ part, body }) => [part, body ?? {}]);
  return new Map(bodies as [string, Body][]);
}

/** The names of fields that differ, including removed fields. */
function listDifferentFields(before: Parts, imported: Parts): readonly string[] {
  if (before.size === 0) return [];
  const others = [...imported].flatMap(([part, body]) => {
    const old = before.get(part) ?? {};
    const names = Object.keys({ ...body, ...old });
    return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(body[name]));
  });
  return [...new Set(others)];
}

function findEntryName({ title, labels }: Body): string | null {
  if (typeof title === 'string') return title;
  const [label] = Object.values(Object(labels) as Body);
  return typeof label === 'string' ? label : null;
}
