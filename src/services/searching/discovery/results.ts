import type { Answered, AnswerSource, Quality, Tier } from '#domain/answer';
import type { ListEntry, Provider } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { QueryFilter } from '#domain/learning-object-query';
import type { ErrorCode } from '#errors';
import type {
  CallOptions,
  Highlight,
  MissingPart,
  SearchAnswer,
  Suggestion,
  TagSet,
  Term,
} from '#ports/learning-service';

export interface LearningObjectHit {
  readonly object: LearningObject;
  /** ID of the search that returned it, for feedback. */
  readonly requestId: string;
  /** Quality of the answer of that search. */
  readonly quality: Quality;
  /** ID of the provider that was asked; null if many were asked at once. */
  readonly providerId: string | null;
  readonly source: AnswerSource;
  /** Absent if it fits, or the service has no tiers. */
  readonly tier?: Exclude<Tier, 'fitting'>;
  /** The matching parts; absent if the service does not mark them. */
  readonly highlight?: Highlight;
}

/** A provider is `not-asked` beyond the limit of 50; asking a `late` one again may help. */
export interface MissingProvider extends MissingPart {
  readonly code: ErrorCode | null;
}

export interface SearchResult
  extends Pick<SearchAnswer, 'page' | 'itemsPerPage' | 'totalItems' | 'hasMore' | 'corrected' | 'wishes' | 'facets'> {
  /** ID of the search that returned the first item; present even if there are no items. */
  readonly requestId: string;
  readonly items: readonly LearningObjectHit[];
  /** False for an estimate: the upstream counts filtered objects, or providers are missing. */
  readonly isTotalExact: boolean;
  /** Judged by the first page with items: A00 if all of its items come from answers with A00,
   *  C00 without items, else B00. Missing providers make no difference. */
  readonly quality: Quality;
  /** Source of the least fresh item. */
  readonly source: AnswerSource;
  readonly missing: readonly MissingProvider[];
  /** False if the service cannot sort as asked, so that the best objects come first. */
  readonly isInOrder?: false;
  /** The number of hits before they were checked (`CheckedQuery.checks`), and of those that were
   *  checked, null for all. */
  readonly checked?: { readonly totalBefore: number; readonly lookedAt: number | null };
}

export interface NearMisses {
  readonly filter: QueryFilter;
  /** Whether the objects fail the filter; false if they do not state the value. */
  readonly isCertain: boolean;
  /** At least one object. */
  readonly items: readonly LearningObjectHit[];
}

export interface SkillGroup {
  readonly taxonomy: string;
  /** Best first. */
  readonly terms: readonly Term[];
}

export interface SkillResults {
  /** The group with the best term first. */
  readonly groups: readonly SkillGroup[];
  /** The terms of all groups, best first, each label once. */
  readonly terms: readonly Term[];
  /** Other words to search for; empty if the service suggests none. */
  readonly suggestions: readonly Suggestion[];
  /** Two-letter code of the language of the search. */
  readonly lang: string;
  readonly source: AnswerSource;
}

export interface TagResults extends Omit<TagSet, 'tokenizedText'> {
  readonly isLangDetected: boolean;
  readonly source: AnswerSource;
}

/** A filter without which a search has hits. */
export interface FilterToDrop {
  readonly filter: QueryFilter;
  /** Number of hits without it. */
  readonly totalItems: number;
  /** False for an estimate, which is not to be shown: of an upstream, or of some providers only. */
  readonly isTotalExact: boolean;
}

export interface WordsTried {
  readonly keywords: string;
  readonly totalItems: number;
  readonly isTotalExact: boolean;
  /** False if only a search without the filters has hits; `totalItems` counts that one. */
  readonly keepsFilters: boolean;
}

/** Changes with which a search without results has some. */
export interface WaysOut {
  /** Corrected keywords, best first; those that keep the filters before the others. */
  readonly didYouMean: readonly WordsTried[];
  /** Similar terms in the same order, without those in `didYouMean`; empty unless requested. */
  readonly similar: readonly WordsTried[];
  /** Filters without which there are hits: exact counts first, then the highest. */
  readonly filters: readonly FilterToDrop[];
  /** Number of hits without any filter; 0 if the search has no filter. */
  readonly totalWithoutFilters: number;
  readonly isTotalWithoutFiltersExact: boolean;
}

export interface Lists {
  readonly providers: readonly Provider[];
  readonly types: readonly ListEntry[];
  readonly blooms: readonly ListEntry[];
  readonly languages: readonly ListEntry[];
  /** Names of the lists that are not available now, and therefore empty. */
  readonly missing: readonly ListName[];
}

export type ListName = 'providers' | 'types' | 'blooms' | 'languages';

export interface ListsOptions extends CallOptions {
  /** Lists that take longer are missing; absent waits for all lists. */
  readonly timeoutMs?: number;
}

export interface SkillsRequest {
  readonly keywords: string;
  /** Two-letter code; when absent, the language with the best matches. */
  readonly lang?: string;
  /** Two-letter code of the person's language, which is tried first if there is no `lang`. */
  readonly prefer?: string;
  /** At most this many terms over all taxonomies; 20 when absent. */
  readonly max?: number;
}

/** Returns the objects of an answer, each with the facts of its search. */
export function toObjectHits<P extends string | null>(
  { value, source }: Answered<SearchAnswer>,
  providerId: P,
): (LearningObjectHit & { readonly providerId: P })[] {
  const { requestId, requestIds, quality, highlights, tiers } = value;
  return value.content.map((object, index) => {
    const highlight = highlights?.[index];
    const tier = tiers?.[index] ?? 'fitting';
    return {
      object,
      requestId: requestIds?.[index] ?? requestId,
      quality,
      providerId,
      source,
      ...(tier !== 'fitting' && { tier }),
      ...(highlight && { highlight }),
    };
  });
}

/** No catalogue has more learning objects; a service that claims more does not count them. */
const MAX_TOTAL = 1_000_000_000;

/** Limits the total that a service claims to what can be true. */
export function limitTotal(totalItems: number): { totalItems: number; isTotalExact: boolean } {
  return { totalItems: Math.min(totalItems, MAX_TOTAL), isTotalExact: totalItems <= MAX_TOTAL };
}

const ages = { fresh: 0, cached: 1, stale: 2 } as const;

/** Returns the less fresh source; the older one where they are equally fresh. */
export function pickOlderSource(a: AnswerSource, b: AnswerSource): AnswerSource {
  const difference = ages[a.freshness] - ages[b.freshness];
  if (difference !== 0) return difference > 0 ? a : b;
  return a.answeredAt <= b.answeredAt ? a : b;
}

/** Returns the source as a later request sees it: an answer that was fresh is cached now. */
export function toCachedSource(source: AnswerSource, askedAt: Date): AnswerSource {
  const isOlder = source.freshness === 'fresh' && source.answeredAt < askedAt;
  return isOlder ? { ...source, freshness: 'cached' } : source;
}
