import {
  type Operation,
  operations,
  similarResponse,
  suggestResponse,
  taggerResponse,
  writeSimilarRequest,
  writeSuggestRequest,
  writeTaggerRequest,
} from '#contract/index';
import type { Inspection } from '#ports/upstream';
import type { Question } from '../ask.ts';
import { SAMPLE_WORD } from '../endpoints.ts';
import { type CheckBody, createAnswerJudge, judgeBySchema, judgeRefusal } from './judge.ts';
import type { Probe } from './probe.ts';
import { findRuleItems, makeRuleDeviation, makeRuleNote, type Remark, readFields } from './rules.ts';

const TEXT =
  'You will plan projects, lead a small team, keep the budget and report to customers. Good written communication is expected.';

/** `similar`, `tagger` and `suggest`, with the key and without a good one. */
export async function* inspectCompetency(probe: Probe): AsyncGenerator<Inspection> {
  for (const { operation, question, check } of trials) {
    const { inspection } = await probe({ operation, purpose: '', question, judge: createAnswerJudge(check) });
    yield inspection;
    yield* inspectRefusals(probe, operation, question);
  }
}

/** The same call without a key and with a wrong one. */
export async function* inspectRefusals(
  probe: Probe,
  operation: Operation,
  question: Question,
): AsyncGenerator<Inspection> {
  for (const key of ['none', 'wrong'] as const) {
    const purpose = key === 'none' ? 'without a key' : 'with a wrong key';
    yield (await probe({ operation, purpose, question, key, judge: judgeRefusal })).inspection;
  }
}

const trials: readonly {
  readonly operation: Operation;
  readonly question: Question;
  readonly check: CheckBody;
}[] = [
  {
    operation: operations.similar,
    question: { query: writeSimilarRequest({ keywords: SAMPLE_WORD, lang: 'en' }) },
    check: (body) => [
      ...judgeBySchema(similarResponse)(body),
      ...checkCompetencyEcho(readFields(body).request, { keywords: SAMPLE_WORD, lang: 'en' }),
    ],
  },
  {
    operation: operations.tagger,
    question: { body: writeTaggerRequest({ text: TEXT, lang: 'en' }) },
    check: judgeBySchema(taggerResponse),
  },
  {
    operation: operations.suggest,
    question: { query: writeSuggestRequest({ keywords: SAMPLE_WORD }) },
    check: (body) => [
      ...judgeBySchema(suggestResponse)(body),
      ...checkCompetencyEcho(readFields(body).request, { keywords: SAMPLE_WORD }),
      ...noteConfidence(readFields(body).response),
    ],
  },
];

/** Checks that the answer repeats the request; the schemas check that the fields are there. */
export function checkCompetencyEcho(
  request: unknown,
  asked: Readonly<Record<string, string>>,
): readonly Remark[] {
  const echo = readFields(request);
  return Object.entries(asked).flatMap(([name, value]) => {
    const found = echo[name];
    const isSame = found === undefined || found === null || String(found) === value;
    return isSame ? [] : [makeRuleDeviation(`request.${name}`, `expected what was asked, "${value}"`, found)];
  });
}

/** The specification's own example does so. */
function noteConfidence(response: unknown): readonly Remark[] {
  return findRuleItems(response, 'content')
    .filter(({ fields }) => fields.score === undefined && fields.confidence !== undefined)
    .map(({ path }) =>
      makeRuleNote(`response.${path}`, 'has confidence in the place of score, a known quirk'),
    );
}
