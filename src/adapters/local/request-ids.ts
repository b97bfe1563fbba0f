import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Feedback } from '#ports/learning-service';

/** Signed identifiers of searches, which verify feedback without a stored search. */
export type RequestIds = ReturnType<typeof createRequestIds>;

const MAX_AGE_MS = 90 * 24 * 3600 * 1000;
const NONCE_BYTES = 6;
const SIGNATURE_BYTES = 12;
/** A wrong address passes if its mark (of 65,536) equals one of the 20 marks of a page. */
const MARK_BYTES = 2;
/** The longest id, with so many marks, has at most 200 characters. Pages have 20 objects. */
const MAX_MARKS = 60;
const SHAPE = /^([0-9a-z]{1,12})\.([\w-]{8})\.(?:([\w-]{0,160})\.)?([\w-]{16})$/;

/** An id is `time.nonce.marks.signature`: milliseconds in base 36, a number that is unique in this
 *  process, a mark for each returned object, and an HMAC-SHA-256 of these three and the tenant,
 *  with the secret of the host. An id without marks is valid for any address; an id of no tenant,
 *  as earlier versions issued it, for each tenant.
 *  @param previous earlier secrets, whose ids remain valid */
export function createRequestIds(secret: Buffer, clock: Clock, previous: readonly Buffer[] = []) {
  const key = createIdKey(secret);
  const keys = [key, ...previous.map(createIdKey)];
  const nextNonce = createIdNonces();
  const cachedMarks = new WeakMap<object, number>();

  function findMark(object: Pick<LearningObject, 'url'>): number {
    const mark = cachedMarks.get(object) ?? key.mark(object.url);
    cachedMarks.set(object, mark);
    return mark;
  }

  return {
    /** Creates the id of a search that returned these objects, of a tenant or of none. */
    issue(objects: readonly Pick<LearningObject, 'url'>[], tenantId: string = ''): string {
      const start = `${clock.now().getTime().toString(36)}.${nextNonce()}`;
      const body = objects.length > MAX_MARKS ? start : `${start}.${encodeIdMarks(objects.map(findMark))}`;
      return `${body}.${key.sign(body, tenantId).toString('base64url')}`;
    },
    /** Errors: REQUEST_ID_INVALID if this service did not issue the id, issued it to another tenant
     *  or more than 90 days ago, or for a search without this address. About one in 3,000 wrong
     *  addresses passes. */
    verify({ requestId, url }: Pick<Feedback, 'requestId' | 'url'>, tenantId: string = ''): void {
      const [, time = '', , marks, signature] = SHAPE.exec(requestId) ?? [];
      if (signature === undefined) throw createIdError(reasons.unknown);
      const body = requestId.slice(0, -signature.length - 1);
      const signatureBytes = Buffer.from(signature, 'base64url');
      const signer = keys.find(({ sign }) =>
        ['', tenantId].some((owner) => timingSafeEqual(sign(body, owner), signatureBytes)),
      );
      if (signer === undefined) throw createIdError(reasons.unknown);
      if (clock.now().getTime() - Number.parseInt(time, 36) > MAX_AGE_MS) throw createIdError(reasons.old);
      if (marks !== undefined && !decodeIdMarks(marks).includes(signer.mark(url))) throw createIdError(reasons.other);
    },
  };
}

const reasons = {
  unknown: 'This request_id was not issued by this service. Send the `id` that the search response has in `request`.',
  old: 'This request_id is older than 90 days. Search again and send the new `id` with the feedback.',
  other:
    'The search with this request_id did not return the learning object at this url. Send the `url` as it was returned, and the `id` of the search that returned it: each page has its own.',
} as const;

const createIdError = (message: string): AppError => new AppError('REQUEST_ID_INVALID', message);

function createIdKey(secret: Buffer) {
  const derive = (purpose: string) => createHmac('sha256', secret).update(purpose).digest();
  const signing = derive('skilldock request id');
  const marking = derive('skilldock request id, returned objects');
  const hash = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return {
    sign: (body: string, tenantId: string) =>
      hash(signing, tenantId === '' ? body : `${body} ${tenantId}`).subarray(0, SIGNATURE_BYTES),
    /** Returns the same mark for all spellings of an address. */
    mark: (url: string) => hash(marking, normalizeObjectAddress(url)).readUIntBE(0, MARK_BYTES),
  };
}

function encodeIdMarks(marks: readonly number[]): string {
  const bytes = Buffer.alloc(marks.length * MARK_BYTES);
  for (const [index, mark] of marks.entries()) bytes.writeUIntBE(mark, index * MARK_BYTES, MARK_BYTES);
  return bytes.toString('base64url');
}

function decodeIdMarks(text: string): readonly number[] {
  const bytes = Buffer.from(text, 'base64url');
  const count = Math.floor(bytes.length / MARK_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.readUIntBE(index * MARK_BYTES, MARK_BYTES));
}

/** Counts up from a random start: six bytes that are unique in this process, and not secret. */
function createIdNonces(): () => string {
  const nonce = randomBytes(NONCE_BYTES);
  return () => {
    nonce.writeUInt32BE((nonce.readUInt32BE(0) + 1) >>> 0, 0);
    return nonce.toString('base64url');
  };
}
