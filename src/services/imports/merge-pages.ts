import { breathe, PAGE } from './entry-order.ts';

/** One stream of several that are each in the order of `compare`; of equals, those of the first stream come first. Holds a page
 *  of each. */
export async function* mergePages<T>(
  streams: readonly AsyncIterable<readonly T[]>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<readonly T[], undefined> {
  const cursors = await Promise.all(streams.map(openCursor));
  let merged: T[] = [];
  for (let open = cursors.filter(isOpen); open.length > 0; ) {
    let first = open[0]!;
    for (const cursor of open) if (compare(headOf(cursor), headOf(first)) < 0) first = cursor;
    merged.push(headOf(first));
    if (merged.length === PAGE) {
      yield merged;
      merged = [];
      await breathe();
    }
    first.index++;
    if (first.index === first.page.length) {
      await turnPage(first);
      open = open.filter(isOpen);
    }
  }
  if (merged.length > 0) yield merged;
  return undefined;
}

interface Cursor<T> {
  readonly pages: AsyncIterator<readonly T[]>;
  page: readonly T[];
  index: number;
}

async function openCursor<T>(stream: AsyncIterable<readonly T[]>): Promise<Cursor<T>> {
  const cursor = { pages: stream[Symbol.asyncIterator](), page: [], index: 0 };
  await turnPage(cursor);
  return cursor;
}

async function turnPage<T>(cursor: Cursor<T>): Promise<void> {
  let next = await cursor.pages.next();
  while (!next.done && next.value.length === 0) next = await cursor.pages.next();
  cursor.page = next.done ? [] : next.value;
  cursor.index = 0;
}

const isOpen = ({ page }: Cursor<unknown>): boolean => page.length > 0;

const headOf = <T>({ page, index }: Cursor<T>): T => page[index] as T;
