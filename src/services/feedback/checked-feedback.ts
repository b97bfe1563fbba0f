import { isEmail } from '../../domain/email.ts';
import { MAX_ADDRESS_LENGTH, MAX_COMMENT_LENGTH, MAX_REQUEST_ID_LENGTH } from '../../domain/feedback.ts';
import { AppError, type Problem } from '../../errors.ts';
import type { Feedback } from '../../ports/learning-service.ts';

/** As it is kept: nothing can be corrected later that an upstream would refuse.
 *  Errors: PARAMETERS_INVALID with every problem at once, under the names of the specification. */
export function checkedFeedback(given: Feedback): Feedback {
  const { comment: _, ...rest } = given;
  const comment = given.comment?.trim();
  const problems = findProblems(rest, comment ?? '');
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
    ['request_id', isRequestId(requestId), `must have 1 to ${MAX_REQUEST_ID_LENGTH} characters`],
    ['email', isEmail(email), 'must be an e-mail address'],
    ['source', isSource(source), `must be an address of at most ${MAX_ADDRESS_LENGTH} characters`],
  ];
  return rules.filter(([, isGood]) => !isGood).map(([path, , problem]) => ({ path, problem }));
}

function isRequestId(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_REQUEST_ID_LENGTH;
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(protocolOf(text));
}

/** An application may have an address of its own scheme; what a browser would run as a script is none. */
function isSource(text: string): boolean {
  const protocol = protocolOf(text);
  return protocol !== '' && !/^(?:javascript|data|vbscript):$/.test(protocol);
}

/** Empty for what is no address. */
function protocolOf(text: string): string {
  return text.length <= MAX_ADDRESS_LENGTH && URL.canParse(text) ? new URL(text).protocol : '';
}
