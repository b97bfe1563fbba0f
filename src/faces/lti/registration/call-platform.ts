import type { z } from 'zod';
import { AppError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound';
import { showPlatformText } from '../platform-services/platform-calls.ts';

/** Why a platform could not register itself; each has words of its own below
 *  `register.failures`. */
export type FailureReason =
  /** The address of the configuration is not one that we call. */
  | 'address'
  /** It leads into a private network. */
  | 'private'
  | 'unreachable'
  /** The platform no longer knows its own token. */
  | 'token'
  /** Its configuration is not what the specification asks for. */
  | 'configuration'
  /** It speaks for another issuer. */
  | 'issuer'
  /** It refuses the tool as it is. */
  | 'refused'
  /** It has registered the tool, but does not say under which id. */
  | 'answer'
  /** What was confirmed is not what was shown. */
  | 'form';

export interface FailureFacts {
  /** Which platform, or which part of it; shown. */
  readonly host?: string;
  readonly status?: number;
  /** What it said or what is wrong, at most 300 characters; shown. */
  readonly detail?: string;
}

/** @returns REGISTRATION_FAILED with the reason and the facts in `data` */
export function createRegistrationFailure(
  reason: FailureReason,
  facts: FailureFacts = {},
  cause?: unknown,
): AppError {
  const said = facts.detail === undefined ? '' : `: ${facts.detail}`;
  return new AppError(
    'REGISTRATION_FAILED',
    `The platform could not be registered (${reason}${said}). Begin again in the platform with the same link.`,
    { cause, data: { reason, ...facts } },
  );
}

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
    const facts = { host: new URL(url).host, detail: showPlatformText(error.message) };
    throw createRegistrationFailure(
      error.code === 'OUTBOUND_REFUSED' ? 'private' : 'unreachable',
      facts,
      error,
    );
  }
}

/** Read JSON, whatever its media type. Errors: REGISTRATION_FAILED for this reason, with what is
 *  wrong. */
export function readPlatformAnswer<T>(
  { text }: OutboundAnswer,
  schema: z.ZodType<T>,
  { reason, host }: { readonly reason: FailureReason; readonly host: string },
): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw createRegistrationFailure(reason, { host, detail: showPlatformText(text) || '(empty)' }, error);
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const wrong = read.error.issues.slice(0, 20).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw createRegistrationFailure(reason, { host, detail: showPlatformText(wrong.join('; ')) });
}
