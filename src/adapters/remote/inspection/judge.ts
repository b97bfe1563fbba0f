import { findMisfits } from '#contract/index';
import type { Answer } from '../call.ts';
import { explain } from '../explain.ts';
import type { Verdict } from './probe.ts';
import { makeRuleDeviation, makeRuleNote, type Remark, readFields, toRuleRemark } from './rules.ts';

type Schema = Parameters<typeof findMisfits>[0];

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Checks the body of a success. */
export type CheckBody = (body: unknown) => readonly Remark[];

/** Judges an answer that should be a success. */
export function createAnswerJudge(check: CheckBody): (answer: Answer) => Verdict {
  return (answer) => {
    const { text, body, headers } = answer;
    if (answer.effectiveStatus !== 200) return { remarks: [notTaken(answer, 'expected 200')] };
    if (body === undefined)
      return { remarks: [makeRuleDeviation('body', 'expected JSON', explain(text) ?? '')] };
    const type = headers['content-type'];
    return { remarks: [...checkType(type), ...checkStatusCode(body), ...check(body)], body };
  };
}

/** A failure may be in the envelope only, while the HTTP status is a success. */
function notTaken({ status, effectiveStatus, text }: Answer, rule: string): Remark {
  const reason = explain(text);
  const said = reason === null ? '' : ` (the service says: ${reason})`;
  return makeRuleDeviation(
    status === effectiveStatus ? 'status' : 'statusCode',
    rule + said,
    effectiveStatus,
  );
}

function checkType(contentType = ''): readonly Remark[] {
  if (JSON_TYPE.test(contentType)) return [];
  return [makeRuleDeviation('header content-type', 'expected application/json', contentType)];
}

/** The schemas check that it is there and a number; a bare array has none. */
function checkStatusCode(body: unknown): readonly Remark[] {
  const { statusCode } = readFields(body);
  const isOther = typeof statusCode === 'number' && statusCode !== 200;
  return isOther ? [makeRuleDeviation('statusCode', 'expected 200', statusCode)] : [];
}

/** Everything in a body that does not fit its schema. */
export function judgeBySchema(schema: Schema): CheckBody {
  return (body) => findMisfits(schema, body).map(toRuleRemark);
}

/** Judges an answer to a call without a good key: any status from 400 to 499 refuses it. */
export function judgeRefusal({ status, effectiveStatus }: Answer): Verdict {
  if (!isRefusal(effectiveStatus))
    return { remarks: [makeRuleDeviation('status', 'expected a refusal, 400 to 499', status)] };
  const isInside = status !== effectiveStatus;
  return {
    remarks: isInside ? [makeRuleNote('status', `is a success around a refusal, ${effectiveStatus}`)] : [],
  };
}

export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Judges an answer to a feedback, of which the specification shows no example. */
export function judgeFeedbackAnswer(answer: Answer): Verdict {
  const { effectiveStatus, text, body } = answer;
  if (effectiveStatus < 200 || effectiveStatus > 299)
    return { remarks: [notTaken(answer, 'expected 200 to 299')] };
  return { remarks: body === undefined ? [makeRuleNote('body', 'expected JSON', explain(text) ?? '')] : [] };
}
