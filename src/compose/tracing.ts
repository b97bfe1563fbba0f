import type { Config } from '#config';
import { AppError } from '#errors';
import type { LearningService } from '#ports/learning-service';
import type { Store } from '#ports/store/store';
import type { Tracing } from '#ports/tracing';

/** Loads OpenTelemetry if the configuration asks for traces. Errors: CONFIG_INVALID if
 *  OpenTelemetry is not installed. */
export async function openTracing(
  { isTraced }: Config,
  options: { readonly version: string; onProblem(error: unknown): void },
): Promise<Tracing | null> {
  if (!isTraced) return null;
  const { openOtel } = await import('#adapters/otel/otel').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? createNotInstalledError(error) : error;
  });
  return openOtel(options);
}

function createNotInstalledError(cause: Error): AppError {
  const message =
    'OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, but OpenTelemetry is not installed. Run "npm ci" without "--omit=dev", or build the image with "--target traced"; or set OTEL_SDK_DISABLED=true.';
  return new AppError('CONFIG_INVALID', message, { cause });
}

/** Wraps a service so that each operation creates a span, such as `engine.searchProvider`. */
export function traceLearning(
  tracing: Tracing | null,
  part: 'engine' | 'upstream',
  learning: LearningService,
): LearningService {
  return tracing?.trace(part, learning, (_ask, [operation]) => String(operation)) ?? learning;
}

/** Wraps a store so that each call of a repository creates a span. */
export function traceStore(tracing: Tracing | null, store: Store): Store {
  if (tracing === null) return store;
  const traced = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' ? tracing.trace(`store.${name}`, part) : part,
  ]);
  return Object.fromEntries(traced) as Store;
}
