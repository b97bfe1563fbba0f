import type { ImportChange, ImportEntry, ImportRecord, ImportRepository } from '../../ports/store/store.ts';

/** A change in words, as far as the store still knows it. */
export interface DescribedChange extends ImportChange {
  /** Of an object its title, of a concept a label; the key where neither is known. */
  readonly name: string;
  /** Names of the fields that become others. */
  readonly fields: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

const MOST_ENTRIES = 100;

/** What an import adds, changes and removes first. */
export async function describeChanges(
  imports: Pick<ImportRepository, 'readEntries'>,
  { dataset, number, comparedWith, changes }: ImportRecord,
): Promise<readonly DescribedChange[]> {
  const describe = async (change: ImportChange): Promise<DescribedChange> => {
    const { kind, key } = change;
    const after = { dataset, kind, key, part: '', importNumber: 0 };
    const read = await imports.readEntries({ dataset, after, limit: MOST_ENTRIES, withBodies: true });
    const entries = read.filter((entry) => entry.kind === kind && entry.key === key);
    const before = mergeBodies(entries.filter(({ importNumber }) => importNumber <= comparedWith));
    const own = mergeBodies(entries.filter(({ importNumber }) => importNumber === number));
    const fields = change.fate === 'changed' ? listOtherFields(before, own) : [];
    return { ...change, name: findName({ ...before, ...own }) ?? key, fields };
  };
  return Promise.all(changes.map(describe));
}

/** Of all parts; entries come in the order of their imports. */
function mergeBodies(entries: readonly ImportEntry[]): Body {
  return Object.assign({}, ...entries.map(({ body }) => body ?? {}));
}

function listOtherFields(before: Body, own: Body): readonly string[] {
  return Object.keys(own).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(own[name]));
}

function findName({ title, labels }: Body): string | null {
  if (typeof title === 'string') return title;
  const [label] = Object.values(Object(labels) as Body);
  return typeof label === 'string' ? label : null;
}
