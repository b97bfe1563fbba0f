import type {
  EntryPlace,
  ImportChange,
  ImportEntry,
  ImportRecord,
  ImportRepository,
} from '#ports/store/store';

/** A change in words, as far as the store still knows it. */
export interface DescribedChange extends ImportChange {
  /** Of an object its title, of a concept a label; the key where neither is known. */
  readonly name: string;
  /** Names of the fields that become others. */
  readonly fields: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** Of one record. */
const MOST_ENTRIES = 100;
/** Read at a time: most records have one or two, and what comes behind them belongs to others. */
const FEW_ENTRIES = 4;

/** What an import adds, changes and removes first. */
export async function describeChanges(
  imports: Pick<ImportRepository, 'readEntries' | 'listLive'>,
  { dataset, number, comparedWith, changes }: ImportRecord,
): Promise<readonly DescribedChange[]> {
  const live = new Set((await imports.listLive()).map((each) => each.number));
  const isBefore = ({ importNumber }: ImportEntry) => importNumber <= comparedWith && live.has(importNumber);
  const described: DescribedChange[] = [];
  // One after another, as each may be large.
  for (const change of changes) {
    const { key } = change;
    const entries = await readEntriesOf(imports, { ...change, dataset });
    const before = takeLastOfParts(entries.filter(isBefore));
    const own = takeLastOfParts(entries.filter((entry) => entry.importNumber === number));
    const name = findName(Object.assign({}, ...before.values(), ...own.values())) ?? key;
    described.push({
      ...change,
      name,
      fields: change.fate === 'changed' ? listOtherFields(before, own) : [],
    });
  }
  return described;
}

async function readEntriesOf(
  imports: Pick<ImportRepository, 'readEntries'>,
  { dataset, kind, key }: Pick<ImportEntry, 'dataset' | 'kind' | 'key'>,
): Promise<readonly ImportEntry[]> {
  const entries: ImportEntry[] = [];
  let after: EntryPlace = { dataset, kind, key, part: '', importNumber: 0 };
  while (entries.length < MOST_ENTRIES) {
    const read = await imports.readEntries({ dataset, after, limit: FEW_ENTRIES, withBodies: true });
    entries.push(...read.filter((entry) => entry.kind === kind && entry.key === key));
    const last = read.at(-1);
    if (last === undefined || last.kind !== kind || last.key !== key) break;
    after = last;
  }
  return entries;
}

type Parts = ReadonlyMap<string, Body>;

/** Entries come in the order of their parts, and then of their imports. What only says that it was seen changes nothing. */
function takeLastOfParts(entries: readonly ImportEntry[]): Parts {
  const bodies = entries.filter(({ state }) => state !== 'seen').map(({ part, body }) => [part, body ?? {}]);
  return new Map(bodies as [string, Body][]);
}

/** Also those that are gone. */
function listOtherFields(before: Parts, own: Parts): readonly string[] {
  if (before.size === 0) return [];
  const others = [...own].flatMap(([part, body]) => {
    const old = before.get(part) ?? {};
    const names = Object.keys({ ...body, ...old });
    return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(body[name]));
  });
  return [...new Set(others)];
}

function findName({ title, labels }: Body): string | null {
  if (typeof title === 'string') return title;
  const [label] = Object.values(Object(labels) as Body);
  return typeof label === 'string' ? label : null;
}
