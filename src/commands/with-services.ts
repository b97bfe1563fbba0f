import type { TenantScope } from '#domain/admin';
import type { CommandContext, StoreOptions } from './open-services.ts';

export type { CommandContext };

/** Opens the services for a command, and closes them after it. A missing store is created, unless
 *  it must exist. Errors: those of `openCommandServices`. */
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

/** Exit code of a command that was stopped with Ctrl+C. */
export const INTERRUPTED = 130;

/** Runs a command with a signal that Ctrl+C and SIGTERM abort. */
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

/** Returns the scope of the tenant of this id or name; all without one. Errors: TENANT_UNKNOWN. */
export async function getTenantScope({ services }: CommandContext, tenant?: string): Promise<TenantScope> {
  return tenant === undefined ? null : [(await services.tenants.getTenantByIdOrName(tenant)).id];
}
