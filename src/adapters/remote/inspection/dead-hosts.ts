import { AppError } from '../../../errors.ts';
import type { Call, Send } from '../send.ts';
import { type ConnectionFailure, isSilence } from '../transport-errors.ts';

/** Calls without an answer that a host which answered none may have: one may be the fault of its operation. */
const MAX_SILENT = 3;

/** Does not wait with every call again for a host that is not there: one to which no connection can be made, or that left
 *  three calls without an answer and answered none.
 *  Errors: UPSTREAM_PAUSED for what is not asked any more. */
export function giveUpOnDeadHosts(send: Send): Send {
  const alive = new Set<string>();
  const silent = new Map<string, number>();
  return async (call) => {
    const { host } = call.url;
    const failures = silent.get(host) ?? 0;
    if (failures >= MAX_SILENT && !alive.has(host)) throw notAsked(call);
    try {
      const answer = await send(call);
      alive.add(host);
      return answer;
    } catch (error) {
      // Whatever else is wrong with an answer, there was one.
      if (!isSilence(error)) alive.add(host);
      else silent.set(host, isUnmade(error) ? MAX_SILENT : failures + 1);
      throw error;
    }
  };
}

function isUnmade({ code, data }: AppError): boolean {
  return code === 'UPSTREAM_UNREACHABLE' && data.connection !== ('broken' satisfies ConnectionFailure);
}

function notAsked({ url, operation }: Call): AppError {
  return new AppError(
    'UPSTREAM_PAUSED',
    `${url.host} answered nothing before, so ${operation} was not asked.`,
    {
      data: { operation },
    },
  );
}
