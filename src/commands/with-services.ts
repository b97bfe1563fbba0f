import type { TenantScope } from '#domain/admin';
import type { Page, PageRequest } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import type { CommandContext, StoreOptions } from './open-services.ts';

export type { CommandContext };

/** Runs a command on the store of the host, with the default tenant in it, and closes the store. A
 *  missing store is created, unless it must exist. Errors: STORE_UNAVAILABLE. */
export async function withServices(
  use: (context: CommandContext) => Promise<void>,
  options: StoreOptions = { mustExist: false },
): Promise<void> {
  // Store and services take a while to load, which a command that only shows its help need not wait
  // for.
  const { openServices } = await import('./open-services.ts');
  const { context, close } = await openServices(options);
  try {
    await use(context);
  } finally {
    await close();
  }
}

/** Runs a task with a signal that Ctrl+C or an end of the process aborts. */
export async function withInterrupt<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await run(stopper.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

export const TENANT_OPTION = '--tenant <id or name>';

/** The tenant of this id or name; every one if it is undefined. Errors: TENANT_UNKNOWN. */
export async function findTenantScope({ services }: CommandContext, tenant?: string): Promise<TenantScope> {
  return tenant === undefined ? null : [(await services.tenants.getTenantByIdOrName(tenant)).id];
}

/** All items of a paged list. */
export async function readPages<T>(read: (part: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of readEveryItem(read)) all.push(item);
  return all;
}
