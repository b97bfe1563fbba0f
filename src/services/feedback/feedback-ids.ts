import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { FeedbackRecord } from '../../ports/store/store.ts';

/** A new id; with a key of its giver the same one each time, which nobody can tell the key from. */
export function feedbackId(tenantId: string, idempotencyKey?: string): string {
  if (!idempotencyKey) return randomUUID();
  const bytes = createHash('sha256').update(`${tenantId} ${idempotencyKey}`).digest().subarray(0, 16);
  // Version 8 of RFC 9562: made as its maker likes.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Tells whether a key came with the same address as before, but not the address: that one may not be kept. */
export function giverHash(email: string, tenantId: string, idempotencyKey?: string): string | null {
  if (!idempotencyKey) return null;
  const text = JSON.stringify([tenantId, idempotencyKey, email]);
  return createHash('sha256').update(text).digest('base64url');
}

/** A key that was used again for something else must not lose that unseen. Errors: PARAMETERS_INVALID. */
export function refuseOtherFeedback(given: FeedbackRecord, kept: FeedbackRecord): void {
  // Feedback of an earlier version has no such hash.
  const isSameGiver = kept.giverHash === null || kept.giverHash === given.giverHash;
  if (isSameGiver && said.every((name) => given[name] === kept[name])) return;
  const problem = 'was sent with another feedback before';
  throw new AppError(
    'PARAMETERS_INVALID',
    'The feedback was not taken, because its idempotency key belongs to another one. Send it with a key of its own.',
    { problems: [{ path: 'Idempotency-Key', problem }] },
  );
}

const said = ['url', 'comment', 'requestId', 'source'] as const;
