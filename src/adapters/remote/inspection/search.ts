import { operations, specifiedSearchResponse, writeSearchRequest } from '#contract/index';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { Inspection } from '#ports/upstream';
import type { Answer } from '../call.ts';
import { SAMPLE_WORD } from '../endpoints.ts';
import { checkCompetencyEcho, inspectRefusals } from './competency.ts';
import { type CheckBody, createAnswerJudge, isRefusal, judgeBySchema } from './judge.ts';
import type { ListsSeen } from './lists.ts';
import { checkNextObjectsPage, checkObjects, checkObjectsPage, type PageAsked } from './objects.ts';
import type { Probe, Probed, Verdict } from './probe.ts';
import { findRuleItems, makeRuleDeviation, makeRuleNote, type Remark, readFields } from './rules.ts';

/** A learning object that a search gave, for a feedback. */
export interface ObjectSeen {
  readonly url: string;
  readonly requestId: string;
}

const FEW = 5;

const MOST = 20;

/** One provider that finds something is enough, as not every provider has something for every word. */
const MAX_PROVIDERS = 5;

/** `search-provider`: a page, the next one, the largest page and one beyond, and without a good key. */
export async function* inspectSearch(
  probe: Probe,
  lists: ListsSeen,
): AsyncGenerator<Inspection, ObjectSeen | null> {
  const ask = (query: LearningObjectQuery, purpose: string, judge: (answer: Answer) => Verdict) =>
    probe({ operation: operations.searchProvider, purpose, question: questionOf(query), judge });
  const first = queryOf(lists);
  const { probed, query } = yield* findProvider(first, lists, (each) =>
    ask(each, `provider ${each.providers[0]}`, createAnswerJudge(checkSearch(each, lists))),
  );
  const { hasMore } = readFields(readFields(readFields(probed.body).response).metadata);
  if (hasMore === true) {
    const next = { ...query, page: 1 };
    const check: CheckBody = (body) => [
      ...checkSearch(next, lists)(body),
      ...checkNextObjectsPage(body, probed.body),
    ];
    yield (await ask(next, 'page 1', createAnswerJudge(check))).inspection;
  }
  const largest = { ...query, max: MOST };
  yield (await ask(largest, `max=${MOST}`, createAnswerJudge(checkSearch(largest, lists)))).inspection;
  yield (await ask({ ...query, max: MOST + 1 }, `max=${MOST + 1}`, judgeTooMany)).inspection;
  yield* inspectRefusals(probe, operations.searchProvider, questionOf(query));
  return findObject(probed.body);
}

/** Asks one provider after the other, until one has something. */
async function* findProvider(
  first: LearningObjectQuery,
  { providers }: ListsSeen,
  ask: (query: LearningObjectQuery) => Promise<Probed>,
): AsyncGenerator<Inspection, { probed: Probed; query: LearningObjectQuery }> {
  let query = first;
  let probed = await ask(query);
  yield probed.inspection;
  for (const id of providers.slice(1, MAX_PROVIDERS)) {
    if (probed.body === undefined || findRuleItems(probed.body, 'response.content').length > 0) break;
    query = { ...first, providers: [id] };
    probed = await ask(query);
    yield probed.inspection;
  }
  return { probed, query };
}

/** Without a list of providers, the one that the specification's text suggests as the default. */
function queryOf({ providers, languages }: ListsSeen): LearningObjectQuery {
  return {
    keywords: SAMPLE_WORD,
    lang: languages.includes('en') ? 'en' : (languages[0] ?? 'en'),
    providers: [providers[0] ?? 'youtube'],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'extended',
    max: FEW,
    page: 0,
    important: new Set(),
  };
}

const questionOf = (query: LearningObjectQuery) => ({ query: writeSearchRequest(query) });

function checkSearch(query: LearningObjectQuery & PageAsked, { blooms }: ListsSeen): CheckBody {
  const { keywords, lang = '', sort, match, model, max, page } = query;
  const [provider = ''] = query.providers;
  const asked = { keywords, lang, provider, sort, match, model };
  return (body) => [
    ...judgeBySchema(specifiedSearchResponse)(body),
    ...checkCompetencyEcho(readFields(body).request, { ...asked, max: String(max), page: String(page) }),
    ...checkObjects(findRuleItems(body, 'response.content'), blooms),
    ...checkObjectsPage(body, query),
    ...noteNothing(body),
  ];
}

function noteNothing(body: unknown): readonly Remark[] {
  const { content } = readFields(readFields(body).response);
  const isEmpty = Array.isArray(content) && content.length === 0;
  return isEmpty
    ? [makeRuleNote('response.content', 'is empty, so no learning object could be looked at')]
    : [];
}

/** The specification has a limit, but does not say what happens beyond it. */
function judgeTooMany({ effectiveStatus: status, body }: Answer): Verdict {
  if (isRefusal(status)) return { remarks: [] };
  if (status !== 200)
    return { remarks: [makeRuleDeviation('status', 'expected 200, or 400 to 499', status)] };
  const count = findRuleItems(body, 'response.content').length;
  if (count > MOST)
    return { remarks: [makeRuleDeviation('response.content', `expected at most ${MOST} items`, count)] };
  return {
    remarks: [makeRuleNote('status', 'is a success; the specification allows at most 20 items per page')],
  };
}

function findObject(body: unknown): ObjectSeen | null {
  const url = findRuleItems(body, 'response.content')[0]?.fields.url;
  const { id } = readFields(readFields(body).request);
  return typeof url === 'string' && typeof id === 'string' ? { url, requestId: id } : null;
}
