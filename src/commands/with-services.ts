import type { TenantScope } from '#domain/admin';
import type { CommandContext, StoreOptions } from './open-services.ts';

export type { CommandContext };

/** A missing store is created, unless it must exist. Errors: STORE_UNAVAILABLE. */
export async function withServices(
  use: (context: CommandContext) => Promise<void>,
  options: StoreOptions = { mustExist: false },
): Promise<void> {
  // Loading takes a while, which a command that only shows its help need not wait for.
  const { openCommandServices } = await import('./open-services.ts');
  const { context, close } = await openCommandServices(options);
  try {
    await use(context);
  } finally {
    await close();
  }
}

/** The signal is aborted by Ctrl+C or the end of the process. */
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

/** By id or name; all if undefined. Errors: TENANT_UNKNOWN. */
export async function findTenantScope({ services }: CommandContext, tenant?: string): Promise<TenantScope> {
  return tenant === undefined ? null : [(await services.tenants.getTenantByIdOrName(tenant)).id];
}
