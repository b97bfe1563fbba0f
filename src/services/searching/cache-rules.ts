import type { LearningObjectQuery } from '#domain/learning-object-query';
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

/** How long an answer is good, by what is asked. What is asked again within twice that time is
 *  renewed before anyone waits for it. While the upstream is away an old answer is better than
 *  none: lists stay the same for months; of terms and searches yesterday's are near enough, and
 *  faces say so where they show them. */
const answerTimes = {
  lists: { goodMs: DAY_MS, renewMs: 2 * DAY_MS, staleMs: 7 * DAY_MS },
  terms: { goodMs: HOUR_MS, renewMs: 2 * HOUR_MS, staleMs: DAY_MS },
  searches: { goodMs: 5 * MINUTE_MS, renewMs: 10 * MINUTE_MS, staleMs: DAY_MS },
} as const satisfies Record<string, AnswerTimes>;

/** How the answers of upstreams to one operation are kept. */
export interface CacheRule<N extends QuestionName> {
  readonly times: AnswerTimes;
  /** True where people's own texts are in the answer. */
  readonly isPrivate?: boolean;
  /** The request without differences that mean nothing; our own engine is asked so, too. */
  tidy?(request: OperationRequest<N>): OperationRequest<N>;
  /** The values of the request, in a fixed order; null where each answer should differ. */
  listKeyParts(request: OperationRequest<N>, options: CallOptions): readonly unknown[] | null;
  /** False for an answer that is worth asking for again; every answer is kept when absent. */
  isKept?(answer: OperationAnswer<N>): boolean;
  /** True for an answer that may come from a fault; none counts as poor when absent. */
  isPoor?(answer: OperationAnswer<N>): boolean;
  /** The answer with what the tenant's administrators changed. */
  applyLayer?(answer: OperationAnswer<N>, layer: TenantLayer): OperationAnswer<N>;
}

/** No service is without providers, types, objectives or languages for long. */
const listRule = {
  times: answerTimes.lists,
  listKeyParts: () => [],
  isPoor: (list: readonly unknown[]) => list.length === 0,
};

const searchRule = {
  times: answerTimes.searches,
  tidy: tidyKeywords<LearningObjectQuery>,
  listKeyParts: (query: LearningObjectQuery, { withDetails = false }: CallOptions) =>
    query.sort === 'random' ? null : [makeSearchKey(query, withDetails)],
  // False where asking again may bring more.
  isKept: (answer: SearchAnswer | null) => answer?.missing?.every(({ why }) => why === 'not-asked') ?? true,
};

/** By operation. Without a rule an upstream is asked each time. */
export const cacheRules: { readonly [N in QuestionName]?: CacheRule<N> } = {
  similar: {
    times: answerTimes.terms,
    tidy: tidyKeywords,
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
  // A blank after the last word says that it is whole, so the keywords stay as they are.
  suggest: { times: answerTimes.terms, listKeyParts: ({ keywords }) => [keywords] },
  listProviders: listRule,
  listTypes: listRule,
  listBlooms: listRule,
  listLanguages: listRule,
  searchProvider: { ...searchRule, applyLayer: applyLayerToAnswer },
  searchMany: { ...searchRule, applyLayer: (answer, layer) => answer && applyLayerToAnswer(answer, layer) },
};

function tidyKeywords<R extends { readonly keywords: string }>(request: R): R {
  const keywords = request.keywords.trim().replace(/\s+/g, ' ');
  return keywords === request.keywords ? request : { ...request, keywords };
}

type Field = Exclude<keyof LearningObjectQuery, 'important'>;

/** Every field has a fixed place, because queries may have theirs in any order. A record, so that
 *  none can be forgotten. */
const fields = Object.keys({
  keywords: true,
  lang: true,
  prefer: true,
  without: true,
  providers: true,
  types: true,
  blooms: true,
  sort: true,
  match: true,
  model: true,
  max: true,
  page: true,
  publisher: true,
  ageMin: true,
  ageMax: true,
  learningTimeMin: true,
  learningTimeMax: true,
  levelMin: true,
  levelMax: true,
  popularityMin: true,
  address: true,
  distanceMax: true,
  free: true,
} satisfies Record<Field, true>) as Field[];

/** The same for the same search, and for no other. */
export function makeSearchKey(query: LearningObjectQuery, withDetails: boolean): string {
  const values = fields.map((field) => query[field]);
  return JSON.stringify([...values, [...query.important].sort(), withDetails]);
}
