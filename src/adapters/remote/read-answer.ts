import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { explain } from './explain.ts';
import { toRefusal } from './refusals.ts';
import { readRetryAfter } from './retry-after.ts';
import type { Answer, Call } from './send.ts';

/** The JSON of an answer that is a success; its form is for the contract to judge.
 *  Errors: those of a refusal, see `toRefusal`; RESPONSE_INVALID for a success that is no JSON. */
export function readAnswer(call: Call, answer: Answer, clock: Clock): unknown {
  const { effectiveStatus: status, text, body, headers } = answer;
  const detail = () => explain(text, call.key?.value);
  if (status < 200 || status >= 300) {
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], clock);
    throw toRefusal({ call, status, body, detail: detail(), retryAfterSeconds });
  }
  // The specification does not show the answer to a feedback, so there may be none.
  if (text.trim() === '' && call.operation === 'feedback') return {};
  if (body === undefined) throw noJson(call, status, detail());
  return body;
}

function noJson({ url, operation }: Call, status: number, detail: string | null): AppError {
  const seen = detail === null ? '' : ` (${detail})`;
  return new AppError(
    'RESPONSE_INVALID',
    `${url.host} answers ${operation} with something that is no JSON${seen}, so it is hardly the service. Check the address.`,
    { data: { status, operation, detail } },
  );
}
