import type { ShelfOwner, ShelfRecord } from '../../../ports/store/store.ts';
import type { Shelf } from '../../../services/shelf.ts';
import { digestText } from './digest.ts';

const PAGE_SIZE = 100;

/** The saved object that a button stands for; null where it is not saved any more. */
export async function findSaved(
  shelf: Shelf,
  owner: ShelfOwner,
  digest: string,
): Promise<ShelfRecord | null> {
  for (let page = 0; ; page++) {
    const { items, total } = await shelf.list(owner, { page, pageSize: PAGE_SIZE });
    const found = items.find(({ address }) => digestText(address) === digest);
    if (found !== undefined) return found;
    if ((page + 1) * PAGE_SIZE >= total) return null;
  }
}
