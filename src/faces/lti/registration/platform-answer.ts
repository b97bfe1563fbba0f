import type { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../../ports/outbound.ts';
import { type FailureReason, registrationFailure, shortDetail } from './registration-failure.ts';

/** Call the platform. Errors: REGISTRATION_FAILED where no answer came. */
export async function callPlatform(
  outbound: Outbound,
  url: string,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  try {
    return await outbound.request(url, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const facts = { host: new URL(url).host, detail: shortDetail(error.message) };
    throw registrationFailure(error.code === 'OUTBOUND_REFUSED' ? 'private' : 'unreachable', facts, error);
  }
}

/** Read JSON, whatever type the platform says it is of. Errors: REGISTRATION_FAILED for this reason, with what is wrong. */
export function readPlatformAnswer<T>(
  { text }: OutboundAnswer,
  schema: z.ZodType<T>,
  { reason, host }: { readonly reason: FailureReason; readonly host: string },
): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw registrationFailure(reason, { host, detail: shortDetail(text) || '(empty)' }, error);
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw registrationFailure(reason, { host, detail: shortDetail(wrong.join('; ')) });
}
