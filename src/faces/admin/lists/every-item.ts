import type { Page } from '../../../ports/store.ts';

const PAGE = 100;

/** The items of a list, page by page, at most `limit`. */
export async function* everyItem<T>(
  readPage: (request: { page: number; pageSize: number }) => Promise<Page<T>>,
  limit: number,
): AsyncIterable<T> {
  for (let page = 0, left = limit; left > 0; page++, left -= PAGE) {
    const { items, total } = await readPage({ page, pageSize: PAGE });
    yield* items.slice(0, left);
    if ((page + 1) * PAGE >= total) return;
  }
}
