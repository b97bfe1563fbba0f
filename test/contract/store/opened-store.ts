import type { Page, PageRequest, Store } from '../../../src/ports/store/store.ts';

/** What an adapter's test gives the suite: a store without a single record. */
export interface OpenedStore {
  readonly store: Store;
  /** Another handle on the same data, as a second host would have it. The suite closes it. */
  openAnother(): Promise<Store>;
  /** Closes the store, also when the test has done so, and removes the data. */
  close(): Promise<void>;
}

/** A new one, closed when the running test is over. */
export type OpenStore = () => Promise<Pick<OpenedStore, 'store' | 'openAnother'>>;

export const ids = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

/** Everything of a list, read page by page to the first empty page; every page must say the same total. */
export async function readPages<T>(
  list: (request: PageRequest) => Promise<Page<T>>,
  pageSize: number,
): Promise<{ items: T[]; sizes: number[]; total: number }> {
  const pages: Page<T>[] = [];
  do pages.push(await list({ page: pages.length, pageSize }));
  while (pages.at(-1)!.items.length > 0);
  const totals = new Set(pages.map(({ total }) => total));
  if (totals.size !== 1) throw new Error(`The pages give different totals: ${[...totals]}`);
  return {
    items: pages.flatMap(({ items }) => items),
    sizes: pages.map(({ items }) => items.length),
    total: pages[0]!.total,
  };
}

/** The same call on two handles in turn, all begun before any is over. */
export function race<T>(
  handles: readonly [Store, Store],
  times: number,
  call: (store: Store, number: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, number) => call(handles[number % 2]!, number)));
}
