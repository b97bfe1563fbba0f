import type { LearningObjectQuery } from '#domain/learning-object-query';
import { toOneLine } from '#domain/text';
import type {
  CallOptions,
  OperationAnswer,
  OperationRequest,
  QuestionName,
  SearchAnswer,
} from '#ports/learning-service';
import type { TenantLayer } from '#ports/object-catalog';
import { applyLayerToAnswer } from '#services/catalogue/objects/object-layers';
import type { AnswerTimes } from './answer-cache.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long an answer is fresh (`goodMs`), is renewed in the background (`renewMs`), and replaces
 *  the answer of an unavailable upstream (`staleMs`). Lists stay the same for months. Terms and
 *  searches may be a day old while the upstream is away; the faces then say so. */
const answerTimes = {
  lists: { goodMs: DAY_MS, renewMs: 2 * DAY_MS, staleMs: 7 * DAY_MS },
  terms: { goodMs: HOUR_MS, renewMs: 2 * HOUR_MS, staleMs: DAY_MS },
  searches: { goodMs: 5 * MINUTE_MS, renewMs: 10 * MINUTE_MS, staleMs: DAY_MS },
} as const satisfies Record<string, AnswerTimes>;

export interface CacheRule<N extends QuestionName> {
  readonly times: AnswerTimes;
  /** True if the answer contains texts of people. */
  readonly isPrivate?: boolean;
  /** Normalizes insignificant differences, also for the built-in engine. */
  normalize?(request: OperationRequest<N>): OperationRequest<N>;
  /** Lists the values of the request in a fixed order; null if each answer should differ. */
  listKeyParts(request: OperationRequest<N>, options: CallOptions): readonly unknown[] | null;
  /** False for an answer that a repeated request may improve; by default each is cached. */
  isCacheable?(answer: OperationAnswer<N>): boolean;
  /** True for an answer that a fault may have caused. When absent, no answer is poor. */
  isPoor?(answer: OperationAnswer<N>): boolean;
  /** Applies the changes of the administrators of a tenant to the answer. */
  applyLayer?(answer: OperationAnswer<N>, layer: TenantLayer): OperationAnswer<N>;
}

/** An empty list is poor: each service has providers, types, objectives and languages. */
const listRule = {
  times: answerTimes.lists,
  listKeyParts: () => [],
  isPoor: (list: readonly unknown[]) => list.length === 0,
};

const searchRule = {
  times: answerTimes.searches,
  normalize: normalizeKeywords<LearningObjectQuery>,
  listKeyParts: (query: LearningObjectQuery, { withDetails = false }: CallOptions) =>
    query.sort === 'random' ? null : [makeSearchCacheKey(query, withDetails)],
  // A repeated search may return more if a provider failed or was late.
  isCacheable: (answer: SearchAnswer | null) => answer?.missing?.every(({ why }) => why === 'not-asked') ?? true,
};

/** Rules by operation. Answers to an operation without a rule are not cached. */
export const cacheRules: { readonly [N in QuestionName]?: CacheRule<N> } = {
  similar: {
    times: answerTimes.terms,
    normalize: normalizeKeywords,
    listKeyParts: ({ keywords, lang, source, max }) => [keywords, lang, source, max],
  },
  tagger: {
    times: answerTimes.terms,
    isPrivate: true,
    listKeyParts: ({ text, lang, source, max, guesses, spans, byWords }) => [
      text,
      lang,
      source,
      max,
      guesses,
      spans,
      byWords,
    ],
  },
  // A space after the last word marks the word as complete, so the keywords are not normalized.
  suggest: { times: answerTimes.terms, listKeyParts: ({ keywords, lang }) => [keywords, lang] },
  listProviders: listRule,
  listTypes: listRule,
  listBlooms: listRule,
  listLanguages: listRule,
  searchProvider: { ...searchRule, applyLayer: applyLayerToAnswer },
  searchMany: { ...searchRule, applyLayer: (answer, layer) => answer && applyLayerToAnswer(answer, layer) },
};

function normalizeKeywords<R extends { readonly keywords: string }>(request: R): R {
  const keywords = toOneLine(request.keywords);
  return keywords === request.keywords ? request : { ...request, keywords };
}

/** Makes a key that only equal searches share. */
export function makeSearchCacheKey({ important, ...query }: LearningObjectQuery, withDetails: boolean): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify([fields.sort(([a], [b]) => (a < b ? -1 : 1)), [...important].sort(), withDetails]);
}
