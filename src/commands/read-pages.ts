import type { Page, PageRequest } from '../ports/store/store.ts';
import { everyItem } from '../services/every-item.ts';

/** Everything of a list that is given in pages. */
export async function readPages<T>(read: (part: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of everyItem(read)) all.push(item);
  return all;
}
