import type { Operation, SentRequest } from '#contract/index';
import type { Clock } from '#ports/clock';
import type { UpstreamConnection } from '#ports/upstream';
import type { Call, Send } from './call.ts';
import { locateEndpoint } from './endpoints.ts';
import { readAnswer } from './read-answer.ts';

export interface Question extends SentRequest {
  readonly signal?: AbortSignal | undefined;
}

/** The JSON that an operation of one connection answers with. Errors: those of `locate`, `Send`, `readAnswer` and the
 *  policies around `Send`. */
export type Ask = (operation: Operation, question?: Question) => Promise<unknown>;

export interface AskDeps {
  readonly send: Send;
  readonly clock: Clock;
}

export function createAsk(connection: UpstreamConnection, { send, clock }: AskDeps): Ask {
  return async (operation, question) => {
    const call = toAskedCall(connection, operation, question);
    return readAnswer(call, await send(call), clock);
  };
}

/** Errors: those of `locate`. */
export function toAskedCall(
  connection: UpstreamConnection,
  operation: Operation,
  { query = '', body, idempotencyKey, signal }: Question = {},
): Call {
  const endpoint = locateEndpoint(connection, operation);
  endpoint.url.search = query;
  return {
    ...endpoint,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    signal,
  };
}
