import type { Answered, AnswerSource, Quality, Tier } from '#domain/answer';
import type { ListEntry, Provider } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { QueryFilter } from '#domain/learning-object-query';
import type { QueryWish } from '#domain/query-wishes';
import type { ErrorCode } from '#errors';
import type {
  CallOptions,
  Facets,
  Highlight,
  SearchAnswer,
  Suggestion,
  Term,
  TextSpan,
} from '#ports/learning-service';

/** A learning object with what is known of how it was found. */
export interface FoundObject {
  readonly object: LearningObject;
  /** Of the search that found it, for feedback. */
  readonly requestId: string;
  /** Of that search, too. */
  readonly quality: Quality;
  /** Id of the provider that was asked; null where many were asked at once. */
  readonly providerId: string | null;
  readonly source: AnswerSource;
  /** How it stands to the words; absent where it fits, or the service does not say. */
  readonly tier?: Exclude<Tier, 'fitting'>;
  /** What of it matched, where the service says so. */
  readonly highlight?: Highlight;
}

export interface AlikeObject {
  readonly found: FoundObject;
  /** 0 to 1: how much of what the other one is about it is about, too. */
  readonly likeness: number;
}

/** A provider whose results are not, or not all, among those given. */
export interface MissingProvider {
  readonly id: string;
  /** `late` did not answer before the deadline; asking again may help. `not-asked` is beyond the 50 providers that are asked at
   *  most; asking again does not help. */
  readonly why: 'late' | 'failed' | 'not-asked';
  /** Error code of a failure, else null. */
  readonly code: ErrorCode | null;
}

export interface SearchResult {
  /** Of the search that found the first item, or that found nothing. */
  readonly requestId: string;
  readonly items: readonly FoundObject[];
  /** The page given, from 0. */
  readonly page: number;
  readonly itemsPerPage: number;
  readonly totalItems: number;
  /** False where the upstream counts more than what passes our own filters, or providers are missing: then
   *  `totalItems` is about so many. */
  readonly isTotalExact: boolean;
  readonly hasMore: boolean;
  /** Of the first page, for all its pages, or of the first one that has items: A00 where each of them is of an answer that
   *  is, C00 where none has any, else B00. A provider that is missing makes no difference. */
  readonly quality: Quality;
  /** The least fresh of them. */
  readonly source: AnswerSource;
  readonly missing: readonly MissingProvider[];
  /** What was searched for instead of words that no object has, as far as the service says. */
  readonly corrected?: string;
  /** What the words wish for besides their topic, and is put first. */
  readonly wishes?: readonly QueryWish[];
  readonly facets?: Facets;
  /** False where the service cannot order as was asked: then the best come first. */
  readonly isInOrder?: false;
}

/** Objects that miss one filter of a search alone, the best first. */
export interface AlmostFound {
  readonly filter: QueryFilter;
  /** Whether they say that they do not fit; false where they do not say it. */
  readonly isKnown: boolean;
  /** At least one. */
  readonly items: readonly FoundObject[];
}

export interface SkillGroup {
  /** Name of the taxonomy. */
  readonly taxonomy: string;
  /** Best first. */
  readonly terms: readonly Term[];
}

export interface SkillsFound {
  /** The group with the best term first. */
  readonly groups: readonly SkillGroup[];
  /** The same terms, best first whatever their taxonomy, each label once. */
  readonly terms: readonly Term[];
  /** Other words to search for; empty where the service cannot say. */
  readonly suggestions: readonly Suggestion[];
  /** Two-letter code of the language they were looked for in. */
  readonly lang: string;
  readonly source: AnswerSource;
}

export interface TagsFound {
  /** Best first. */
  readonly tags: readonly string[];
  /** Of each tag where its evidence stands; absent where it was not asked for, or the service does not say. */
  readonly spans?: readonly (TextSpan | null)[];
  /** Ids of their concepts, from our own engine. */
  readonly concepts?: readonly string[];
  readonly lang: string;
  /** Whether `lang` was found out from the text. */
  readonly isLangDetected: boolean;
  readonly source: AnswerSource;
}

export interface Completions {
  readonly suggestions: readonly Suggestion[];
  readonly source: AnswerSource;
}

/** A search that would find something. */
export interface FilterToDrop {
  readonly filter: QueryFilter;
  /** What the search finds without it. */
  readonly totalItems: number;
  /** As in `SearchResult`; also false where not all providers were asked. Then no number is to be shown. */
  readonly isTotalExact: boolean;
}

/** Other keywords with which the search has been found to find something. */
export interface OtherWords {
  readonly keywords: string;
  /** What the search finds with them. */
  readonly totalItems: number;
  /** As in `FilterToDrop`. */
  readonly isTotalExact: boolean;
  /** False where they find something only without the filters of the search, and that is counted. */
  readonly keepsFilters: boolean;
}

export interface WaysOut {
  /** Best first; those that keep the filters before the others. */
  readonly didYouMean: readonly OtherWords[];
  /** Terms like the keywords in the same order, none of them in `didYouMean`; empty unless they were asked for. */
  readonly similar: readonly OtherWords[];
  /** The filters whose removal finds something; measured by searching without each. Those whose number is exact first, then
   *  the most helpful. */
  readonly filters: readonly FilterToDrop[];
  /** What the search finds without any filter; 0 where it has none. */
  readonly totalWithoutFilters: number;
  /** As in `FilterToDrop`. */
  readonly isTotalWithoutFiltersExact: boolean;
}

/** The lists people choose from. */
export interface Lists {
  readonly providers: readonly Provider[];
  readonly types: readonly ListEntry[];
  readonly blooms: readonly ListEntry[];
  readonly languages: readonly ListEntry[];
  /** Those that cannot be had now, and are empty. */
  readonly missing: readonly ListName[];
}

export type ListName = 'providers' | 'types' | 'blooms' | 'languages';

export interface ListsOptions extends CallOptions {
  /** Lists that take longer are missing; all are waited for when absent. */
  readonly timeoutMs?: number;
}

export interface SkillsRequest {
  readonly keywords: string;
  /** Two-letter code; absent takes the language in which the keywords are found best. */
  readonly lang?: string;
  /** The person's own, which is asked first where there is no `lang`. Two-letter code. */
  readonly prefer?: string;
  /** At most this many terms over all taxonomies; 20 when absent. */
  readonly max?: number;
}

/** The objects of an answer, each with how it was found. */
export function toFoundObjects<P extends string | null>(
  { value, source }: Answered<SearchAnswer>,
  providerId: P,
): (FoundObject & { readonly providerId: P })[] {
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

/** No catalogue has more learning objects; a provider that claims more is not counting. */
const MAX_TOTAL = 1_000_000_000;

/** The total that a service claims, limited to what can be true. */
export function limitFoundTotal(totalItems: number): { totalItems: number; isTotalExact: boolean } {
  return { totalItems: Math.min(totalItems, MAX_TOTAL), isTotalExact: totalItems <= MAX_TOTAL };
}

const ages = { fresh: 0, cached: 1, stale: 2 } as const;

/** The less fresh of two; the older one where they are equally fresh. */
export function pickOlderFoundSource(one: AnswerSource, other: AnswerSource): AnswerSource {
  const difference = ages[one.freshness] - ages[other.freshness];
  if (difference !== 0) return difference > 0 ? one : other;
  return one.answeredAt <= other.answeredAt ? one : other;
}

/** The same source for a later asker: what was fresh for somebody before is cached for them. */
export function toCachedSource(source: AnswerSource, askedAt: Date): AnswerSource {
  const isOlder = source.freshness === 'fresh' && source.answeredAt < askedAt;
  return isOlder ? { ...source, freshness: 'cached' } : source;
}

/** For an object or a text, besides its letters. */
const BYTES_PER_VALUE = 64;
/** For a provider's cursor, with the error it may hold. */
const BYTES_PER_CURSOR = 4_000;

/** Roughly how much memory plain data takes: two bytes a letter, and a fixed amount for each value. */
export function estimateBytesOfObjects(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + 2 * value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  return Object.values(value).reduce<number>(
    (sum, each) => sum + estimateBytesOfObjects(each),
    BYTES_PER_VALUE,
  );
}

interface HeldByCursor {
  readonly bytesKept: number;
  readonly arrived: Answered<SearchAnswer> | null;
}

/** The memory of all that a search holds: what was shown, what is left to show, and pages that arrived and are not read yet. */
export function estimateSearchBytes(cursors: readonly HeldByCursor[]): number {
  return cursors.reduce(
    (sum, { bytesKept, arrived }) =>
      sum + BYTES_PER_CURSOR + bytesKept + (arrived === null ? 0 : estimateBytesOfAnswer(arrived.value)),
    0,
  );
}

function estimateBytesOfAnswer({ content, highlights }: SearchAnswer): number {
  return estimateBytesOfObjects(content) + estimateBytesOfObjects(highlights);
}
