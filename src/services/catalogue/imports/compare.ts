import type { ImportCounts } from '#domain/catalog';
import type { EntryPlace, ImportChange, ImportEntry, ImportRecord, ImportRepository } from '#ports/store/store';
import { PAGE } from './entry-order.ts';

export interface Comparison {
  readonly counts: Pick<ImportCounts, 'added' | 'changed' | 'unchanged' | 'removed'>;
  /** The first 20 changes of each fate. */
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

/** What happens to one part of a record. */
interface PartFate {
  readonly place: ImportEntry;
  /** Hash of the live part; null if it did not exist. */
  before: string | null;
  /** How the imported part compares with the live one; null if the import has no such part. */
  outcome: 'same' | 'other' | null;
}

/** Compares live and staged entries, one record at a time. @param pages both kinds, in order */
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
    // Providers come with their objects; nobody imports them.
    if (kind === 'provider') return;
    totals[fate]++;
    if (fate !== 'unchanged' && changes[fate].length < MAX_CHANGES) changes[fate].push({ fate, kind, key });
  };
  const counts = () => {
    const { added, changed, unchanged } = totals;
    return { added, changed, unchanged, removed: totals.removed };
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
      addEntry(fates, entry, options);
    }
    await handOver(PAGE);
    options.onPage(counts());
  }
  if (fates.length > 0) endRecord();
  await handOver(1);
  const { covered, gone } = totals;
  return {
    counts: counts(),
    changes: [...changes.added, ...changes.changed, ...changes.removed],
    isOther,
    // Of few records, most may go on purpose, but not all.
    isShrinking: gone > 0 && (gone === covered || (gone > FEW_RECORDS && gone * 2 > covered)),
  };
}

/** Adds an entry to the fate of its part. Entries of a part come in the order of their imports, so
 *  a later one replaces those before. */
function addEntry(
  fates: PartFate[],
  entry: ImportEntry,
  { importNumber, live }: Pick<CompareOptions, 'importNumber' | 'live'>,
): void {
  const isStaged = entry.importNumber === importNumber;
  // The entries of an import that was undone or broken off are being cleared.
  if (!isStaged && !live.has(entry.importNumber)) return;
  let fate = fates.at(-1);
  if (fate === undefined || fate.place.part !== entry.part || fate.place.key !== entry.key) {
    fate = { place: entry, before: null, outcome: null };
    fates.push(fate);
  }
  if (!isStaged && entry.state === 'put') fate.before = entry.hash;
  if (!isStaged && entry.state === 'removed') fate.before = null;
  // A staged `removed` entry is left from an attempt that was broken off here.
  if (isStaged && entry.state === 'put') fate.outcome = entry.hash === fate.before ? 'same' : 'other';
  if (isStaged && entry.state === 'seen') fate.outcome = 'same';
}

/** Judges a record by the fates of its parts; null without parts. `fate` is null if nothing
 *  concerns it. */
function judgeFates(fates: readonly PartFate[], covers: readonly string[]) {
  const [first] = fates;
  if (first === undefined) return null;
  const isCoveredPart = ({ place }: PartFate) => covers.some((name) => place.part.startsWith(name));
  const before = fates.filter((fate) => fate.before !== null);
  const coveredBefore = before.filter(isCoveredPart);
  const gone = coveredBefore.filter(({ outcome }) => outcome === null);
  const staged = fates.filter(({ outcome }) => outcome !== null);
  let fate: keyof Comparison['counts'] | null = staged.length > 0 ? 'unchanged' : null;
  if (gone.length > 0 || staged.some(({ outcome }) => outcome === 'other')) fate = 'changed';
  if (before.length === 0 && staged.length > 0) fate = 'added';
  if (before.length > 0 && staged.length === 0 && gone.length === before.length) fate = 'removed';
  return {
    kind: first.place.kind,
    key: first.place.key,
    removed: gone.map(({ place }) => place),
    isCovered: coveredBefore.length > 0,
    isGone: gone.length > 0 && gone.length === coveredBefore.length && !staged.some(isCoveredPart),
    fate,
  };
}

/** Returns the entry that records the removal of a part. */
export function toRemovedEntry({ kind, key, dataset, part }: ImportEntry, importNumber: number): ImportEntry {
  return { kind, key, dataset, part, importNumber, state: 'removed', hash: '', body: null };
}

/** A change with what the store has to describe it to people. */
export interface DescribedChange extends ImportChange {
  /** Title of an object, or label of a concept; the key if neither is stored. */
  readonly name: string;
  /** Names of the fields whose values change. */
  readonly fields: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;
const MAX_ENTRIES = 100;
/** Number of entries that are read at a time: most records have one or two. */
const FEW_ENTRIES = 4;

/** Describes the first changes of an import. */
export async function describeImportChanges(
  imports: Pick<ImportRepository, 'readEntries' | 'listLive'>,
  { dataset, number, comparedWith, changes }: ImportRecord,
): Promise<readonly DescribedChange[]> {
  const live = new Set((await imports.listLive()).map((record) => record.number));
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

/** Returns the last body of each part. Entries come in the order of their parts, then of their
 *  imports; `seen` entries change nothing. */
function takeLastOfParts(entries: readonly ImportEntry[]): Parts {
  const bodies = entries.filter(({ state }) => state !== 'seen').map(({ part, body }) => [part, body ?? {}]);
  return new Map(bodies as [string, Body][]);
}

/** Lists the names of fields that differ, including removed fields. */
function listDifferentFields(before: Parts, imported: Parts): readonly string[] {
  if (before.size === 0) return [];
  const different = new Set<string>();
  for (const [part, body] of imported) {
    const old = before.get(part) ?? {};
    for (const name of Object.keys({ ...body, ...old }))
      if (JSON.stringify(old[name]) !== JSON.stringify(body[name])) different.add(name);
  }
  return [...different];
}

function findEntryName({ title, labels }: Body): string | null {
  if (typeof title === 'string') return title;
  const [label] = Object.values(Object(labels) as Body);
  return typeof label === 'string' ? label : null;
}
