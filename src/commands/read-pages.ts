import type { Page, PageRequest } from '../ports/store.ts';

const PAGE_SIZE = 100;

/** Everything of a list that is given in pages. */
export async function readPages<T>(read: (part: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 0; ; page++) {
    const { items, total } = await read({ page, pageSize: PAGE_SIZE });
    all.push(...items);
    if ((page + 1) * PAGE_SIZE >= total) return all;
  }
}
