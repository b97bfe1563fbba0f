import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';

/** Identifiers of searches that prove themselves: nothing about a search is stored, yet feedback can be checked. */
export interface RequestIds {
  issue(): string;
  /** Errors: REQUEST_ID_INVALID when it was not issued here or is older than 90 days. */
  verify(requestId: string): void;
}

const MAX_AGE_MS = 90 * 24 * 3600 * 1000;
const NONCE_BYTES = 6;
const SIGNATURE_BYTES = 12;
const SHAPE = /^([0-9a-z]{1,12})\.([\w-]{8})\.([\w-]{16})$/;

/** `time.nonce.signature`: milliseconds in base 36, a number of this process, and an HMAC-SHA-256 of both under the host's secret.
 *  @param previous secrets that ids were signed with before, still good for proving them */
export function createRequestIds(secret: Buffer, clock: Clock, previous: readonly Buffer[] = []): RequestIds {
  const sign = createSigner(secret);
  const signers = [sign, ...previous.map(createSigner)];
  const nextNonce = createNonces();
  return {
    issue() {
      const body = `${clock.now().getTime().toString(36)}.${nextNonce()}`;
      return `${body}.${sign(body).toString('base64url')}`;
    },
    verify(requestId) {
      const [, time = '', nonce, signature = ''] = SHAPE.exec(requestId) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const isOurs =
        signature !== '' && signers.some((each) => timingSafeEqual(each(`${time}.${nonce}`), given));
      if (!isOurs) {
        throw new AppError(
          'REQUEST_ID_INVALID',
          'This request_id was not issued by this service. Send the `id` that the search response has in `request`.',
        );
      }
      if (clock.now().getTime() - Number.parseInt(time, 36) > MAX_AGE_MS) {
        throw new AppError(
          'REQUEST_ID_INVALID',
          'This request_id is older than 90 days. Search again and send the new `id` with the feedback.',
        );
      }
    },
  };
}

function createSigner(secret: Buffer): (body: string) => Buffer {
  const key = createHmac('sha256', secret).update('skilldock request id').digest();
  return (body) => createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE_BYTES);
}

/** Six bytes, counted up from a random start so that none repeats in this process. They are signed, so they need not be secret. */
function createNonces(): () => string {
  const nonce = randomBytes(NONCE_BYTES);
  return () => {
    nonce.writeUInt32BE((nonce.readUInt32BE(0) + 1) >>> 0, 0);
    return nonce.toString('base64url');
  };
}
