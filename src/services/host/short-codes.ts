import { randomInt } from 'node:crypto';
import { AppError } from '#errors';

/** Characters that people do not confuse: without 0, 1, I, L and O. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const HALF = 4;
/** How long a code is valid. */
export const CODE_MS = 10 * 60_000;
/** @example makeShortCode() // 'K7QM-2XPA' */
export const makeShortCode = (): string => `${makeCodeHalf()}-${makeCodeHalf()}`;
const makeCodeHalf = (): string => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
export const normalizeShortCode = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '');

export function createCodeInvalidError(): AppError {
  return new AppError(
    'LINK_CODE_INVALID',
    'This code is mistyped, was used already, is older than ten minutes, or is of another institution. Type a code from Slack on the learning platform, and a code from the learning platform in Slack.',
  );
}

export function createTooManyCodesError(retryAfterSeconds: number): AppError {
  const message = 'Too many codes were tried. Wait ten minutes, get a new code and type it here.';
  return new AppError('LINK_CODE_THROTTLED', message, { retryAfterSeconds });
}
