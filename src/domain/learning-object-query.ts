import type { ObjectMark } from './object-facts.ts';
import type { SearchDefaults } from './tenant.ts';
import { cleanText } from './text.ts';

export const MAX_WORDS_LENGTH = 300;
/** Highest number of a page; pages count from 0. */
export const MAX_PAGE = 1_000;

/** Kinds of wishes, which `query-wishes.ts` reads. */
export const wishKinds = ['level', 'type', 'free', 'length', 'place', 'audience'] as const;
export type WishKind = (typeof wishKinds)[number];

/** Our orders `shortest` and `newest` put objects last that do not state a length or a date. */
export const sorts = ['popularity', 'shortest', 'newest', 'random'] as const;

/** A search with defaults applied. Ranges include both ends; absent means no limit. */
export interface LearningObjectQuery {
  readonly keywords: string;
  /** Two-letter code; absent means any. */
  readonly lang?: string;
  /** Two-letter code of the language whose objects come first: the person's or the tenant's. */
  readonly prefer?: string;
  /** Kinds of wishes in the keywords that are ignored. */
  readonly without?: readonly WishKind[];
  /** IDs; empty means every provider. */
  readonly providers: readonly string[];
  readonly types: readonly string[];
  readonly blooms: readonly string[];
  readonly sort: (typeof sorts)[number];
  readonly match: 'best-effort' | 'strict';
  readonly model: 'strict' | 'extended';
  /** Items per page, 1 to 20. */
  readonly max: number;
  /** From 0. */
  readonly page: number;
  readonly publisher?: string;
  /** Age in years. */
  readonly ageMin?: number;
  readonly ageMax?: number;
  /** Length in minutes. */
  readonly learningTimeMin?: number;
  readonly learningTimeMax?: number;
  /** Level from -1 to 1. */
  readonly levelMin?: number;
  readonly levelMax?: number;
  /** Popularity from 0 to 1. */
  readonly popularityMin?: number;
  /** A place name, with or without street. */
  readonly address?: string;
  /** Kilometres around `address`. */
  readonly distanceMax?: number;
  readonly free?: boolean;
  /** Excludes objects that do not state all of these. */
  readonly has?: readonly ObjectMark[];
  /** YYYY-MM-DD; excludes objects that do not state to be published or changed since. */
  readonly newerThan?: string;
  /** Filters that exclude even when `match` is `best-effort`. */
  readonly important: ReadonlySet<QueryFilter>;
}

/** A search with wishes that services do not support: their hits are checked one by one. */
export type CheckedQuery = LearningObjectQuery & { readonly checks?: HitChecks };

export interface HitChecks {
  /** Words and phrases that an object must not have. */
  readonly excluded: readonly string[];
  /** Phrases that it must have. */
  readonly phrases: readonly string[];
  /** Whether its level must be outside the middle: for beginners or advanced. */
  readonly isMiddleLevelExcluded?: boolean;
}

/** Parameters that can carry `!important`. */
export type QueryFilter =
  | 'lang'
  | 'provider'
  | 'publisher'
  | 'age'
  | 'learningTime'
  | 'level'
  | 'popularity'
  | 'distance'
  | 'free'
  | 'type'
  | 'bloom'
  | 'has'
  | 'newerThan';

/** Returns whether a query has one provider, one language, and none of our filters. */
export function isSpecifiedQuery(query: LearningObjectQuery): boolean {
  const { providers, types, blooms, has = [], lang, newerThan } = query;
  const isLimited = [types, blooms, has].some((values) => values.length > 0) || newerThan !== undefined;
  return providers.length === 1 && !isLimited && lang !== undefined;
}

/** Makes a query for the first page of a search with a tenant's defaults. Chosen providers and
 *  "free only" always exclude; other filters do as `match` says.
 *  @param locale locale of the person: objects in its language come first if the defaults have
 *  neither a language nor a preference */
export function createLearningObjectQuery(
  keywords: string,
  { providers, lang, prefer, model, match, itemsPerPage, freeOnly }: SearchDefaults,
  locale?: string,
): LearningObjectQuery {
  const first = prefer ?? locale?.slice(0, 2).toLowerCase();
  const important: QueryFilter[] = [];
  if (providers.length > 0) important.push('provider');
  if (freeOnly) important.push('free');
  return {
    keywords,
    ...(lang !== null && { lang }),
    ...(lang === null && first !== undefined && { prefer: first }),
    providers,
    types: [],
    blooms: [],
    sort: 'popularity',
    match,
    model,
    max: itemsPerPage,
    page: 0,
    ...(freeOnly && { free: true }),
    important: new Set(important),
  };
}

/** Ranges of the filter by name; both ends included. */
export const levels = {
  beginner: { levelMax: -0.2 },
  intermediate: { levelMin: -0.2, levelMax: 0.2 },
  advanced: { levelMin: 0.2 },
} as const satisfies Record<string, Partial<LearningObjectQuery>>;

/** Returns the range of a level, inclusive, within -1 to 1. */
export function findLevelBounds(name: keyof typeof levels): { readonly min: number; readonly max: number } {
  const { levelMin: min = -1, levelMax: max = 1 }: Partial<LearningObjectQuery> = levels[name];
  return { min, max };
}

/** Returns the step of a level for display: the outer `levels` are halved. */
export function toLevelStep(level: number): 'beginner' | 'easy' | 'intermediate' | 'demanding' | 'advanced' {
  const { min, max } = findLevelBounds('intermediate');
  if (level < min) return level <= -0.6 ? 'beginner' : 'easy';
  if (level <= max) return 'intermediate';
  return level < 0.6 ? 'demanding' : 'advanced';
}

/** Ranges of the length filter by name, in minutes. */
export const lengths = {
  quarter: { learningTimeMax: 15 },
  hour: { learningTimeMax: 60 },
  halfDay: { learningTimeMax: 4 * 60 },
  day: { learningTimeMax: 8 * 60 },
  longer: { learningTimeMin: 8 * 60 },
} as const satisfies Record<string, Partial<LearningObjectQuery>>;

export const prices = ['free', 'paid'] as const;

/** Values of the distance filter in kilometres. */
export const distances = [10, 25, 50, 100, 200] as const;
/** Distance of a wish such as "in Lyon" or "near Lyon". */
export const WISHED_DISTANCE: (typeof distances)[number] = 50;

/** The type of objects that take place somewhere. */
export const PLACED_TYPE = 'training';

/** Cleans words and cuts them to the length that searches accept. */
export const cutQueryWords = (text: string): string => cleanText(text).slice(0, MAX_WORDS_LENGTH).trimEnd();
