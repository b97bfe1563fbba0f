import {
  EVERY_TENANT,
  type LinkCheck,
  type LinkCheckRepository,
  type LinkState,
  type ObjectChange,
  type ObjectLayerRepository,
  type Page,
  type PageRequest,
  type TenantRepository,
} from '#ports/store/store';

const PAGE_SIZE = 100;

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

export async function listEveryItem<T>(...request: Parameters<typeof readEveryItem<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of readEveryItem(...request)) all.push(item);
  return all;
}

/** All items of a list that is read in batches, until a batch is empty. */
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

const CHECKS_AT_ONCE = 1_000;

/** All checks of links in this state, a thousand at a time: the most that a store takes at once. */
export async function* readEveryLinkCheck(
  linkChecks: Pick<LinkCheckRepository, 'readLinkChecks'>,
  state: LinkState,
): AsyncGenerator<readonly LinkCheck[], undefined> {
  let after: string | null = null;
  for (;;) {
    const checks: readonly LinkCheck[] = await linkChecks.readLinkChecks({ state, after, limit: CHECKS_AT_ONCE });
    const last = checks.at(-1);
    if (last === undefined) return undefined;
    yield checks;
    after = last.url;
  }
}

export interface ObjectChangesDeps {
  readonly objectLayers: Pick<ObjectLayerRepository, 'readObjectChanges'>;
  readonly tenants: Pick<TenantRepository, 'listTenantIds'>;
}

const CHANGES_AT_ONCE = 500;

/** What was changed of single objects, for all tenants and for each. */
export async function* readEveryObjectChange(deps: ObjectChangesDeps): AsyncGenerator<ObjectChange, undefined> {
  const { objectLayers, tenants } = deps;
  const tenantIds = [...(await tenants.listTenantIds('active')), ...(await tenants.listTenantIds('disabled'))];
  for (const tenantId of [EVERY_TENANT, ...tenantIds])
    yield* readEveryItemAfter<ObjectChange>((last) =>
      objectLayers.readObjectChanges(tenantId, last?.address ?? null, CHANGES_AT_ONCE),
    );
  return undefined;
}

/** Groups items: each batch has `size` items, the last one what remains. */
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
