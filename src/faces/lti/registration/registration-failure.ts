import { AppError } from '../../../errors.ts';

/** Why a platform could not register itself; each has words of its own below `register.failures`. */
export type FailureReason =
  /** The address of the configuration is none that is called. */
  | 'address'
  /** It leads into a private network. */
  | 'private'
  | 'unreachable'
  /** The platform does not know its own token any more. */
  | 'token'
  /** What it says of itself is not what the specification asks for. */
  | 'configuration'
  /** It speaks for another issuer. */
  | 'issuer'
  /** It does not want the tool as it is. */
  | 'refused'
  /** It has registered the tool, and does not say as what. */
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
export function registrationFailure(
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

const MAX_DETAIL = 300;

/** What a platform answered, as it can be shown: in one line, without its markup. */
export function shortDetail(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL);
}
