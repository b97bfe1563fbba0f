import type { LearningObject } from '../../domain/learning-object.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type {
  BrowseRequest,
  CallOptions,
  LearningService,
  SearchAnswer,
  SearchOptions,
  SimilarRequest,
  SuggestRequest,
  TaggerRequest,
} from '../../ports/learning-service.ts';
import type { AnswerTimes } from '../answer-cache/answer-cache.ts';
import { makeSearchKey } from './search-key.ts';

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/** How long an answer is good, by what is asked. What is asked again within twice that time is renewed before anyone waits
 *  for it. While the upstream is away an old answer is better than none: lists stay the same for months; of terms and
 *  searches yesterday's are near enough, and faces say so where they show them. */
export const answerTimes = {
  lists: { goodMs: DAY_MS, renewMs: 2 * DAY_MS, staleMs: 7 * DAY_MS },
  terms: { goodMs: HOUR_MS, renewMs: 2 * HOUR_MS, staleMs: DAY_MS },
  searches: { goodMs: 5 * MINUTE_MS, renewMs: 10 * MINUTE_MS, staleMs: DAY_MS },
} as const satisfies Record<string, AnswerTimes>;

/** One request of one operation, as it is asked and as it is kept. */
export interface OperationRequest<T> {
  readonly kind: keyof typeof answerTimes;
  /** True where people's own texts are in the answer. */
  readonly isPrivate?: boolean;
  /** False for an answer that is worth asking for again; every answer is kept when absent. */
  isKept?(value: NoInfer<T>): boolean;
  /** True for an answer that may come from a fault; none counts as poor when absent. */
  isPoor?(value: NoInfer<T>): boolean;
  /** Made of operation and parameters; null where each answer should differ. */
  key(): string | null;
  call(learning: LearningService, options: CallOptions): Promise<T>;
}

type Call<T> = OperationRequest<T>['call'];

type ListOperation = 'listProviders' | 'listTypes' | 'listBlooms' | 'listLanguages';

export function makeListRequest<N extends ListOperation>(operation: N) {
  return {
    kind: 'lists' as const,
    isPoor: isEmpty,
    key: () => operation,
    call: (learning: LearningService, options: CallOptions) =>
      learning[operation](options) as ReturnType<LearningService[N]>,
  };
}

export function makeSimilarRequest(asked: SimilarRequest) {
  const request = { ...asked, keywords: tidy(asked.keywords) };
  const { keywords, lang, source, max } = request;
  return termsRequest(['similar', keywords, lang, source, max], (learning, options) =>
    learning.similar(request, options),
  );
}

export function makeTaggerRequest(request: TaggerRequest) {
  const { text, lang, source, max, guesses, spans, byWords } = request;
  const parts = ['tagger', text, lang, source, max, guesses, spans, byWords];
  const asked = termsRequest(parts, (learning, options) => learning.tagger(request, options));
  return { ...asked, isPrivate: true };
}

/** A blank after the last word says that it is whole, so the keywords stay as they are. */
export function makeSuggestRequest(request: SuggestRequest) {
  return termsRequest(['suggest', request.keywords], (learning, options) =>
    learning.suggest(request, options),
  );
}

function termsRequest<T>(parts: readonly unknown[], call: Call<T>): OperationRequest<T> {
  return { kind: 'terms', key: () => JSON.stringify(parts), call };
}

export function makeSearchRequest<N extends 'searchProvider' | 'searchMany'>(
  operation: N,
  asked: LearningObjectQuery,
  { withDetails = false }: SearchOptions = {},
) {
  const keywords = tidy(asked.keywords);
  const query = keywords === asked.keywords ? asked : { ...asked, keywords };
  return {
    kind: 'searches' as const,
    isKept: isWhole,
    key: () => (query.sort === 'random' ? null : `${operation} ${makeSearchKey(query, withDetails)}`),
    call: (learning: LearningService, options: CallOptions) =>
      learning[operation](query, withDetails ? { ...options, withDetails } : options) as ReturnType<
        LearningService[N]
      >,
  };
}

/** Only our own engine can be browsed, and its answers are not kept here. */
export function makeBrowseRequest(request: BrowseRequest) {
  return {
    kind: 'searches' as const,
    key: () => null,
    call: (learning: LearningService, options: CallOptions) => learning.browse(request, options),
  };
}

/** Only our own engine has it, too. */
export function makeAlikeRequest(object: LearningObject) {
  return {
    kind: 'searches' as const,
    key: () => null,
    call: (learning: LearningService, options: CallOptions) => learning.findAlike(object, options),
  };
}

/** Whether asking again would bring nothing more. */
function isWhole(answer: SearchAnswer | null): boolean {
  return answer?.missing?.every(({ why }) => why === 'not-asked') ?? true;
}

/** No service is without providers, types, objectives or languages for long. */
function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}

/** Without the blanks that mean nothing. */
function tidy(keywords: string): string {
  return keywords.trim().replace(/\s+/g, ' ');
}
