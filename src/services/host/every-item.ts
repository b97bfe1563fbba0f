import type { Page, PageRequest } from '#ports/store/store';

const PAGE_SIZE = 100;

/** All items of a paged list, at most `limit`. */
export async function* readEveryItem<T>(
  readPage: (request: PageRequest) => Promise<Page<T>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterable<T> {
  for (let page = 0, left = limit; left > 0; page++, left -= PAGE_SIZE) {
    const { items, total } = await readPage({ page, pageSize: PAGE_SIZE });
    yield* items.slice(0, left);
    if ((page + 1) * PAGE_SIZE >= total) return;
  }
}

/** All items of a list that is read in batches, each after the last item, until a batch is
 *  empty. */
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
