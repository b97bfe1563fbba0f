import { createHash, randomUUID } from 'node:crypto';
import type { FeedbackRole } from '#domain/feedback';
import { MAX_ADDRESS_LENGTH, MAX_COMMENT_LENGTH, MAX_REQUEST_ID_LENGTH, SOURCE_SCHEME } from '#domain/feedback';
import type { FeedbackSettings } from '#domain/tenant';
import { isEmail } from '#domain/text';
import { AppError, type Problem } from '#errors';
import type { Feedback } from '#ports/learning-service';
import type { FeedbackRecord, Verdict } from '#ports/store/store';

/** Comments that stand for verdicts, as services accept only comments. */
const verdictComments: Readonly<Record<Verdict, string>> = {
  useful: 'Useful',
  'not-useful': 'Not useful',
  broken: 'Broken link',
};

export function writeFeedbackComment(verdict: Verdict | null, comment: string): string {
  if (verdict === null) return comment;
  return comment === '' ? `${verdictComments[verdict]}.` : `${verdictComments[verdict]}: ${comment}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const CONTROL = /\p{Control}/u;

/** Refuses feedback that an upstream would refuse, as it cannot be corrected later. Removes control
 *  characters from the comment: a store would cut it at NUL. Errors: PARAMETERS_INVALID with every
 *  problem, under the names of the specification. */
export function validateGivenFeedback(feedback: Feedback): Feedback {
  const { comment: _, ...required } = feedback;
  const comment = (feedback.comment ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Control}/gu, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
  const problems = findFeedbackProblems(required, comment);
  if (problems.length === 0) return { ...required, ...(comment && { comment }) };
  const names = problems.map(({ path }) => path).join(', ');
  throw new AppError(
    'PARAMETERS_INVALID',
    `The feedback cannot be taken because of ${names}. Correct what is listed.`,
    { problems },
  );
}

function findFeedbackProblems({ url, requestId, email, source }: Feedback, comment: string): Problem[] {
  const rules: readonly [path: string, isGood: boolean, problem: string][] = [
    ['url', /^https?:$/.test(protocolOf(url)), `must be a web address of at most ${MAX_ADDRESS_LENGTH} characters`],
    ['comment', comment.length <= MAX_COMMENT_LENGTH, `must have at most ${MAX_COMMENT_LENGTH} characters`],
    ['request_id', isFeedbackRequestId(requestId), `must have 1 to ${MAX_REQUEST_ID_LENGTH} printable characters`],
    ['email', isEmail(email), 'must be an e-mail address'],
    ['source', isFeedbackSource(source), `must be an address of at most ${MAX_ADDRESS_LENGTH} characters`],
  ];
  return rules.filter(([, isGood]) => !isGood).map(([path, , problem]) => ({ path, problem }));
}

function isFeedbackRequestId(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_REQUEST_ID_LENGTH && isPrintableFeedback(text);
}

function isFeedbackSource(text: string): boolean {
  const protocol = protocolOf(text);
  return protocol !== '' && SOURCE_SCHEME.test(protocol.slice(0, -1));
}

/** Returns the protocol of an address, such as `https:`; empty for other texts. */
function protocolOf(text: string): string {
  const isAddress = text.length <= MAX_ADDRESS_LENGTH && isPrintableFeedback(text) && URL.canParse(text);
  return isAddress ? new URL(text).protocol : '';
}

const isPrintableFeedback = (text: string): boolean => !CONTROL.test(text) && !LONE_SURROGATE.test(text);

/** The domain `.invalid` is reserved (RFC 2606), so nobody receives this. */
const NOBODY = 'feedback@skilldock.invalid';

/** Makes the author's address for feedback of tenants without a shared one. Nobody reads it.
 *  @example makeFeedbackEmail('https://skills.example.org') // 'feedback@skills.example.org' */
export function makeFeedbackEmail(publicUrl: string): string {
  const email = `feedback@${new URL(publicUrl).hostname}`;
  return isEmail(email) ? email : NOBODY;
}

/** Returns whether this role's feedback gets the shared address; unknown roles are learners. */
export function isFeedbackGiverHidden({ sharedEmailFor }: FeedbackSettings, role: FeedbackRole): boolean {
  if (sharedEmailFor === 'learners') return role === 'learner' || role === 'unknown';
  return sharedEmailFor === 'everyone';
}

/** Makes a new ID; with an idempotency key always the same one, which does not reveal the key. */
export function makeFeedbackId(tenantId: string, idempotencyKey?: string): string {
  if (!idempotencyKey) return randomUUID();
  const bytes = createHash('sha256').update(`${tenantId} ${idempotencyKey}`).digest().subarray(0, 16);
  // Version 8 of RFC 9562, whose content is free.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Identifies the author of feedback with a key, without storing the address. */
export function hashFeedbackGiver(email: string, tenantId: string, idempotencyKey?: string): string | null {
  if (!idempotencyKey) return null;
  const text = JSON.stringify([tenantId, idempotencyKey, email]);
  return createHash('sha256').update(text).digest('base64url');
}

const comparedFields = ['url', 'comment', 'requestId', 'source'] as const;

/** Errors: PARAMETERS_INVALID if the key was used for other feedback, which would be lost. */
export function checkSameFeedback(newFeedback: FeedbackRecord, stored: FeedbackRecord): void {
  // Feedback that an earlier version stored has no hash.
  const isSameGiver = stored.giverHash === null || stored.giverHash === newFeedback.giverHash;
  if (isSameGiver && comparedFields.every((name) => newFeedback[name] === stored[name])) return;
  const problem = 'was sent with another feedback before';
  throw new AppError(
    'PARAMETERS_INVALID',
    'The feedback was not taken, because its idempotency key belongs to another one. Send it with a key of its own.',
    { problems: [{ path: 'Idempotency-Key', problem }] },
  );
}
