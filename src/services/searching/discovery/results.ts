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
  /** Of the search that gave it, for feedback. */
  readonly requestId: string;
  /** Of that search, too. */
  readonly quality: Quality;
  /** Id of the provider that was asked; null if many were asked at once. */
  readonly providerId: string | null;
  readonly source: AnswerSource;
  /** How well it matches the words; absent if it fits, or the service does not say. */
  readonly tier?: Exclude<Tier, 'fitting'>;
  /** The parts of it that match, where the service gives them. */
  readonly highlight?: Highlight;
}

export interface AlikeObject {
  readonly hit: LearningObjectHit;
  /** 0 to 1: the share of the topics of the other object that it has as well. */
  readonly likeness: number;
}

/** `late`: asking again may help. `not-asked`: beyond the 50 providers that are asked at most. */
export interface MissingProvider extends MissingPart {
  readonly code: ErrorCode | null;
}

export interface SearchResult
  extends Pick<SearchAnswer, 'page' | 'itemsPerPage' | 'totalItems' | 'hasMore' | 'corrected' | 'wishes' | 'facets'> {
  /** Of the search that gave the first item; also given if there are none. */
  readonly requestId: string;
  readonly items: readonly LearningObjectHit[];
  /** False for an estimate: the upstream counts filtered objects, or providers are missing. */
  readonly isTotalExact: boolean;
  /** Judged by the first page with items: A00 if all of its items come from answers with A00,
   *  C00 without items, else B00. Missing providers make no difference. */
  readonly quality: Quality;
  /** The least fresh one of the items. */
  readonly source: AnswerSource;
  readonly missing: readonly MissingProvider[];
  /** False if the service cannot sort as asked: then the best come first. */
  readonly isInOrder?: false;
  /** Where hits were checked one by one (`LearningObjectQuery.checks`). */
  readonly checked?: CheckedHits;
}

export interface CheckedHits {
  /** Hits before they were checked. */
  readonly totalBefore: number;
  /** How many were checked, if there are more; else null. */
  readonly lookedAt: number | null;
}

export interface NearMisses {
  readonly filter: QueryFilter;
  /** True if the objects fail the filter; false if they do not say. */
  readonly isCertain: boolean;
  /** At least one. */
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
  /** The same terms, best first whatever their taxonomy, each label once. */
  readonly terms: readonly Term[];
  /** Other words to search for; empty if the service has none. */
  readonly suggestions: readonly Suggestion[];
  /** Two-letter code of the language of the search. */
  readonly lang: string;
  readonly source: AnswerSource;
}

export interface TagResults extends Omit<TagSet, 'tokenizedText'> {
  readonly isLangDetected: boolean;
  readonly source: AnswerSource;
}

export interface Completions {
  readonly suggestions: readonly Suggestion[];
  readonly source: AnswerSource;
}

/** A filter without which a search has hits. */
export interface FilterToDrop {
  readonly filter: QueryFilter;
  /** Hits without it. */
  readonly totalItems: number;
  /** As in `SearchResult`; also false if not all providers were asked. Then show no number. */
  readonly isTotalExact: boolean;
}

export interface WordsTried {
  readonly keywords: string;
  readonly totalItems: number;
  readonly isTotalExact: boolean;
  /** False if only a search without the filters has hits; `totalItems` counts that one. */
  readonly keepsFilters: boolean;
}

/** What a search without results can be changed to. */
export interface WaysOut {
  /** Corrected keywords, best first; those that keep the filters before the others. */
  readonly didYouMean: readonly WordsTried[];
  /** Similar terms in the same order, none of them in `didYouMean`; empty unless asked for. */
  readonly similar: readonly WordsTried[];
  /** Filters without which there are hits: exact counts first, then the highest. */
  readonly filters: readonly FilterToDrop[];
  /** Hits without any filter; 0 if the search has no filter. */
  readonly totalWithoutFilters: number;
  readonly isTotalWithoutFiltersExact: boolean;
}

export interface Lists {
  readonly providers: readonly Provider[];
  readonly types: readonly ListEntry[];
  readonly blooms: readonly ListEntry[];
  readonly languages: readonly ListEntry[];
  /** Lists that are not available now, and empty. */
  readonly missing: readonly ListName[];
}

export type ListName = 'providers' | 'types' | 'blooms' | 'languages';

export interface ListsOptions extends CallOptions {
  /** Lists that take longer are missing; when absent, all are waited for. */
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

/** The objects of an answer, each with the facts of its search. */
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

/** The total that a service claims, limited to what can be true. */
export function limitTotal(totalItems: number): { totalItems: number; isTotalExact: boolean } {
  return { totalItems: Math.min(totalItems, MAX_TOTAL), isTotalExact: totalItems <= MAX_TOTAL };
}

const ages = { fresh: 0, cached: 1, stale: 2 } as const;

/** The less fresh of two; the older one where they are equally fresh. */
export function pickOlderSource(one: AnswerSource, other: AnswerSource): AnswerSource {
  const difference = ages[one.freshness] - ages[other.freshness];
  if (difference !== 0) return difference > 0 ? one : other;
  return one.answeredAt <= other.answeredAt ? one : other;
}

/** The source for a later request: an answer that was fresh is cached now. */
export function toCachedSource(source: AnswerSource, askedAt: Date): AnswerSource {
  const isOlder = source.freshness === 'fresh' && source.answeredAt < askedAt;
  return isOlder ? { ...source, freshness: 'cached' } : source;
}
