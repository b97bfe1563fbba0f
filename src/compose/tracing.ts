import type { Config } from '../config.ts';
import type { Store } from '../ports/store/store.ts';
import type { Tracing } from '../ports/tracing.ts';

/** Loaded only where it is used. */
export async function openTracing(
  { isTraced }: Config,
  options: { readonly version: string; onProblem(error: unknown): void },
): Promise<Tracing | null> {
  if (!isTraced) return null;
  const { openOtel } = await import('../adapters/otel/otel.ts');
  return openOtel(options);
}

/** The same store, whose repositories tell of their calls. */
export function traceStore(tracing: Tracing | null, store: Store): Store {
  if (tracing === null) return store;
  const traced = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' ? tracing.trace(`store.${name}`, part) : part,
  ]);
  return Object.fromEntries(traced) as Store;
}
