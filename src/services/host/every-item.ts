import type { Page, PageRequest } from '#ports/store/store';

const PAGE_SIZE = 100;

/** Reads all items of a paged list, or the first `limit`. */
export async function* readEveryItem<T>(
  readPage: (request: PageRequest) => Promise<Page<T>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterable<T> {
  for (let page = 0, remaining = limit; remaining > 0; page++, remaining -= PAGE_SIZE) {
    const { items, total } = await readPage({ page, pageSize: PAGE_SIZE });
    yield* items.slice(0, remaining);
    if ((page + 1) * PAGE_SIZE >= total) return;
  }
}

/** Lists what `readEveryItem` reads. */
export async function listEveryItem<T>(...request: Parameters<typeof readEveryItem<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of readEveryItem(...request)) all.push(item);
  return all;
}

/** Reads all items of a list in batches, each after the last item of the one before. */
export async function* readEveryItemAfter<T>(
  read: (after: T | null) => Promise<readonly T[]>,
): AsyncGenerator<T, undefined> {
  let batch = await read(null);
  for (let last = batch.at(-1); last !== undefined; last = batch.at(-1)) {
    yield* batch;
    batch = await read(last);
  }
  return undefined;
}

/** Groups items into batches of `size`; the last one may have fewer. */
export async function* inBatches<T>(items: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
