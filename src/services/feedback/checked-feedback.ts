import {
  MAX_ADDRESS_LENGTH,
  MAX_COMMENT_LENGTH,
  MAX_REQUEST_ID_LENGTH,
  SOURCE_SCHEME,
} from '../../domain/feedback.ts';
import { isEmail } from '../../domain/text.ts';
import { AppError, type Problem } from '../../errors.ts';
import type { Feedback } from '../../ports/learning-service.ts';

/** As it is kept: nothing can be corrected later that an upstream would refuse. A comment loses what no text has, such as
 *  NUL, at which a store would cut it.
 *  Errors: PARAMETERS_INVALID with every problem at once, under the names of the specification. */
export function checkedFeedback(given: Feedback): Feedback {
  const { comment: _, ...rest } = given;
  const comment = plainText(given.comment ?? '').trim();
  const problems = findProblems(rest, comment);
  if (problems.length === 0) return { ...rest, ...(comment && { comment }) };
  const names = problems.map(({ path }) => path).join(', ');
  throw new AppError(
    'PARAMETERS_INVALID',
    `The feedback cannot be taken because of ${names}. Correct what is listed.`,
    { problems },
  );
}

function findProblems({ url, requestId, email, source }: Feedback, comment: string): Problem[] {
  const rules: readonly [path: string, isGood: boolean, problem: string][] = [
    ['url', isWebAddress(url), `must be a web address of at most ${MAX_ADDRESS_LENGTH} characters`],
    ['comment', comment.length <= MAX_COMMENT_LENGTH, `must have at most ${MAX_COMMENT_LENGTH} characters`],
    ['request_id', isRequestId(requestId), `must have 1 to ${MAX_REQUEST_ID_LENGTH} printable characters`],
    ['email', isEmail(email), 'must be an e-mail address'],
    ['source', isSource(source), `must be an address of at most ${MAX_ADDRESS_LENGTH} characters`],
  ];
  return rules.filter(([, isGood]) => !isGood).map(([path, , problem]) => ({ path, problem }));
}

function isRequestId(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_REQUEST_ID_LENGTH && isPrintable(text);
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(protocolOf(text));
}

function isSource(text: string): boolean {
  const protocol = protocolOf(text);
  return protocol !== '' && SOURCE_SCHEME.test(protocol.slice(0, -1));
}

/** Empty for what is no address. */
function protocolOf(text: string): string {
  const isAddress = text.length <= MAX_ADDRESS_LENGTH && isPrintable(text) && URL.canParse(text);
  return isAddress ? new URL(text).protocol : '';
}

/** Half of a character that takes two. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const CONTROL = /\p{Control}/u;

function isPrintable(text: string): boolean {
  return !CONTROL.test(text) && !LONE_SURROGATE.test(text);
}

/** Of control characters, only tabs and ends of lines are left. */
function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Control}/gu, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}
