import { type CatalogKind, catalogKinds } from '#domain/catalog';
import { compareKeyBytes } from '#domain/record-key';
import type { EntryPart, EntryPlace, ImportEntry, ImportRepository } from '#ports/store/store';

export const PAGE = 1_000;
/** Limit of the characters in the bodies of a page. */
export const PAGE_CHARS = 1_000_000;

/** Lets the host answer requests between two steps. */
export const pauseForRequests = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads all entries of a dataset in their order, page by page. */
export async function* readEntriesInOrder(
  from: Pick<ImportRepository, 'readEntries'>,
  dataset: string,
  options: { readonly withBodies: boolean; readonly pageSize?: number; readonly pageChars?: number },
): AsyncGenerator<readonly ImportEntry[], undefined> {
  const { withBodies, pageSize = PAGE, pageChars = PAGE_CHARS } = options;
  let after: EntryPlace | null = null;
  for (;;) {
    const page: readonly ImportEntry[] = await from.readEntries({
      dataset,
      after,
      limit: pageSize,
      chars: pageChars,
      withBodies,
    });
    const last = page.at(-1);
    if (last === undefined) return undefined;
    yield page;
    // Pages of large entries are shorter, but only the end is empty.
    after = last;
    await pauseForRequests();
  }
}

/** Compares the records of entries in the order of the store. */
export function compareEntryRecords(a: Pick<EntryPart, 'kind' | 'key'>, b: Pick<EntryPart, 'kind' | 'key'>): number {
  return orderEntryKinds(a.kind) - orderEntryKinds(b.kind) || compareKeyBytes(a.key, b.key);
}

export function compareEntryPlaces(a: EntryPlace, b: EntryPlace): number {
  return compareEntryRecords(a, b) || compareKeyBytes(a.part, b.part) || a.importNumber - b.importNumber;
}

/** Writes a text that is different for different parts. */
export const writeEntryPart = ({ kind, key, part }: EntryPart): string =>
  `${orderEntryKinds(kind)}${key.length} ${key}${part}`;
const orderEntryKinds = (kind: CatalogKind): number => catalogKinds.indexOf(kind);

/** Merges streams in the order of `compare`; of equals, those of the first stream come first. Holds
 *  one page of each stream, and yields before it reads the next one. */
export async function* mergeEntryPages<T>(
  streams: readonly AsyncIterable<readonly T[]>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<readonly T[], undefined> {
  const cursors: Cursor<T>[] = [];
  for (const stream of streams) {
    cursors.push(await openEntryCursor(stream));
    await pauseForRequests();
  }
  let merged: T[] = [];
  let open = cursors.filter(hasEntriesLeft);
  for (let first = open[0]; first !== undefined; [first] = open) {
    for (const cursor of open) if (compare(headEntryOf(cursor), headEntryOf(first)) < 0) first = cursor;
    merged.push(headEntryOf(first));
    first.index++;
    if (first.index === first.page.length) {
      yield merged;
      merged = [];
      await pauseForRequests();
      await turnEntryPage(first);
      open = open.filter(hasEntriesLeft);
    }
  }
  return undefined;
}

type Cursor<T> = { readonly pages: AsyncIterator<readonly T[]>; page: readonly T[]; index: number };

async function openEntryCursor<T>(stream: AsyncIterable<readonly T[]>): Promise<Cursor<T>> {
  const cursor = { pages: stream[Symbol.asyncIterator](), page: [], index: 0 };
  await turnEntryPage(cursor);
  return cursor;
}

async function turnEntryPage<T>(cursor: Cursor<T>): Promise<void> {
  let next = await cursor.pages.next();
  while (!next.done && next.value.length === 0) next = await cursor.pages.next();
  cursor.page = next.done ? [] : next.value;
  cursor.index = 0;
}

const hasEntriesLeft = ({ page }: Cursor<unknown>): boolean => page.length > 0;
const headEntryOf = <T>({ page, index }: Cursor<T>): T => page[index] as T;
