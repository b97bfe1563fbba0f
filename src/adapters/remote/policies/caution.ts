import { AppError } from '#errors';
import { type Call, isCallGivenUp, type Policy } from '../call.ts';
import { isLateError } from '../transport-errors.ts';

export interface CautionOptions {
  /** Simultaneous calls to what was late before; 4 by default. */
  readonly maxSuspects: number;
  /** See `isCallGivenUp`. */
  readonly minTimeMs: number;
}

/** Gives operations or providers that were late, until they answer, only a few of the places that all calls of a service share:
 *  each of their calls may keep a place for its whole time. A breaker alone would come too late where many are late at once.
 *  Errors: UPSTREAM_PAUSED.
 *  @returns a policy for each operation or provider of a service */
export function createCaution({ maxSuspects, minTimeMs }: CautionOptions): () => Policy {
  let suspects = 0;

  return () => {
    let isSuspect = false;
    return async (call, send) => {
      const wasSuspect = isSuspect;
      if (wasSuspect && suspects >= maxSuspects) throw paused(call);
      if (wasSuspect) suspects++;
      const startedMs = performance.now();
      try {
        const answer = await send(call);
        isSuspect = false;
        return answer;
      } catch (error) {
        if (isLateError(error) && !isCallGivenUp(call, startedMs, minTimeMs)) isSuspect = true;
        throw error;
      } finally {
        if (wasSuspect) suspects--;
      }
    };
  };
}

function paused({ url, operation }: Call): AppError {
  return new AppError(
    'UPSTREAM_PAUSED',
    `${url.host} did not answer ${operation} in time before, and other requests are trying whether it is back. Try again in a moment; if it lasts, tell the operator of the service.`,
    { retryAfterSeconds: 1, data: { operation } },
  );
}
