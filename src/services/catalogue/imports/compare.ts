import type { ImportCounts } from '#domain/catalog';
import type { ImportChange, ImportEntry } from '#ports/store/store';
import { PAGE } from './entry-order.ts';

/** What an import would do, record by record. */
export interface Comparison {
  readonly counts: Pick<ImportCounts, 'added' | 'changed' | 'unchanged' | 'removed'>;
  /** The first of each fate, at most 20. */
  readonly changes: readonly ImportChange[];
  /** Whether the catalogue would be another one; a provider that is renamed is counted nowhere else. */
  readonly isOther: boolean;
  /** Whether so much would be removed that the source is more likely broken. */
  readonly isShrinking: boolean;
}

export interface CompareOptions {
  readonly importNumber: number;
  /** Numbers of the imports of the dataset that count. */
  readonly live: ReadonlySet<number>;
  readonly covers: readonly string[];
  /** Receives the entries for what the source no longer has, in order and at most 1,000 at a time. Their records all lie before
   *  what is read next. */
  onRemoved(entries: readonly ImportEntry[]): Promise<void>;
  onPage(counts: Comparison['counts']): void;
}

const MAX_CHANGES = 20;

const FEW_RECORDS = 100;

/** Of few records, most may go on purpose, but not all. */
function isShrinking({ covered, gone }: { readonly covered: number; readonly gone: number }): boolean {
  return gone > 0 && (gone === covered || (gone > FEW_RECORDS && gone * 2 > covered));
}

/** One part before and after the import. */
interface PartFate {
  readonly place: ImportEntry;
  /** Null where it did not exist. */
  before: string | null;
  /** What the import says; null where it says nothing. */
  own: 'same' | 'other' | null;
}

/** Walks along what the dataset has and what was read, both in the order of `pages`, holding the parts of one record at a time. */
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
    const outcome = judge(fates, options.covers);
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
    isShrinking: isShrinking(totals),
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
    fate = { place: entry, before: null, own: null };
    fates.push(fate);
  }
  if (!isOwn) fate.before = entry.state === 'put' ? entry.hash : fate.before;
  if (!isOwn && entry.state === 'removed') fate.before = null;
  // Its own `removed` entry is left from an attempt that was broken off here.
  if (isOwn && entry.state === 'put') fate.own = entry.hash === fate.before ? 'same' : 'other';
  if (isOwn && entry.state === 'seen') fate.own = 'same';
}

function judge(fates: readonly PartFate[], covers: readonly string[]) {
  const [first] = fates;
  if (first === undefined) return null;
  const isCoveredPart = ({ place }: PartFate) => covers.some((name) => place.part.startsWith(name));
  const before = fates.filter((fate) => fate.before !== null);
  const coveredBefore = before.filter(isCoveredPart);
  const gone = coveredBefore.filter(({ own }) => own === null);
  const isAfter = fates.some(({ own }) => own !== null) || gone.length < before.length;
  const isOther = gone.length > 0 || fates.some(({ own }) => own === 'other');
  const isInSource = fates.some(({ own }) => own !== null);
  return {
    kind: first.place.kind,
    key: first.place.key,
    removed: gone.map(({ place }) => place),
    isCovered: coveredBefore.length > 0,
    isGone:
      gone.length > 0 &&
      gone.length === coveredBefore.length &&
      !fates.some((fate) => fate.own !== null && isCoveredPart(fate)),
    fate: fateOf({ isBefore: before.length > 0, isAfter, isOther, isInSource }),
  };
}

/** Null where the record does not concern this import. */
function fateOf(is: {
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

/** Says of a part that it is gone. */
export function toRemovedEntry({ kind, key, dataset, part }: ImportEntry, importNumber: number): ImportEntry {
  return { kind, key, dataset, part, importNumber, state: 'removed', hash: '', body: null };
}
