import { limitConcurrency } from '#domain/async/limit-concurrency';
import type { LearningObject } from '#domain/learning-object';
import { type LearningObjectQuery, wishKinds } from '#domain/learning-object-query';
import { foldText } from '#domain/text';
import { AppError, type ErrorCode } from '#errors';
import type { StartTimer } from '#ports/clock';
import type { CallOptions, Suggestion, Term } from '#ports/learning-service';
import { makeSearchCacheKey } from '../cache-rules.ts';
import {
  dropQueryFilter,
  dropQueryFilters,
  listQueryFilters,
  listQueryFiltersLikeliestFirst,
} from '../query-filters.ts';
import { type Deadline, startDeadline } from '../signals.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { detectTextLanguage, TAXONOMY_LANGUAGES } from '../text-language.ts';
import type { SearchResult, WaysOut, WordsTried } from './results.ts';
import type { SearchLearningObjects } from './search.ts';
import { findSimilarSkills, foldSkillLabel, listOtherLabels } from './skills.ts';

export interface WaysOutDeps {
  readonly answers: TenantAnswers;
  readonly search: SearchLearningObjects;
  /** The timer of the system when absent. */
  readonly startTimer?: StartTimer;
}

export interface WaysOutOptions extends CallOptions {
  /** Whether similar terms are tried as well, each of which takes a search. False when absent. */
  readonly withSimilar?: boolean;
}

const TIMEOUT_MS = 2_000;
const MAX_CORRECTIONS = 3;
const MAX_SIMILAR = 5;
/** Corrections with a lower share of the best score are unlikely to be what the person means. */
const MIN_SHARE_OF_BEST = 0.8;

/** Tries changes in this order: without one filter, with corrected words, without any filter, with
 *  similar terms. Returns those with good results. */
export async function findWaysOut(
  { answers, search, startTimer }: WaysOutDeps,
  query: LearningObjectQuery,
  { signal, withSimilar = false }: WaysOutOptions = {},
): Promise<WaysOut> {
  const isGood = await createResultJudge(query);
  const deadline = startDeadline(TIMEOUT_MS, signal, startTimer);
  try {
    const countHits = createHitCounter(search, deadline, isGood);
    return await findWaysOutInTime(query, { answers, deadline, countHits, withSimilar });
  } finally {
    deadline.clear();
  }
}

interface Search {
  readonly answers: TenantAnswers;
  readonly deadline: Deadline;
  readonly countHits: CountHits;
  readonly withSimilar: boolean;
}

async function findWaysOutInTime(query: LearningObjectQuery, { answers, deadline, countHits, withSimilar }: Search) {
  const { keywords, prefer } = query;
  const options = { signal: deadline.signal };
  const countingFilters = countWithoutEachFilter(query, countHits);
  const suggesting = deadline.inTime(
    answers.ask('suggest', { keywords, ...(prefer !== undefined && { lang: prefer }) }, options),
  );
  const findingTerms = withSimilar ? deadline.inTime(findSimilarSkills(answers, query, options)) : null;
  // Counts run in this order: after the corrections, or the filters where corrections are late.
  const afterFirst = Promise.race([suggesting, countingFilters]);
  const [corrections, filters, unfiltered, similar] = await Promise.all([
    suggesting.then((answer) => tryCorrections(answer?.value.suggestions ?? [], query, countHits)),
    countingFilters,
    afterFirst.then(() => (listQueryFilters(query).length === 0 ? NO_HITS : countHits(dropQueryFilters(query)))),
    Promise.all([findingTerms, afterFirst]).then(([terms]) =>
      tryLabels(listOtherLabels(terms?.value ?? [], keywords).slice(0, MAX_SIMILAR), query, countHits),
    ),
  ]);
  // Words with results without the filters are spelt correctly, unless corrected silently.
  const isMisspelt = unfiltered.totalItems === 0 || unfiltered.isMaybeCorrected === true;
  const didYouMean = corrections.filter(({ keepsFilters }) => keepsFilters || isMisspelt);
  const offered = new Set(didYouMean.map((words) => foldSkillLabel(words.keywords)));
  return {
    didYouMean,
    similar: similar.filter((words) => !offered.has(foldSkillLabel(words.keywords))),
    filters,
    totalWithoutFilters: unfiltered.totalItems,
    isTotalWithoutFiltersExact: unfiltered.isTotalExact,
  };
}

async function countWithoutEachFilter(query: LearningObjectQuery, countHits: CountHits) {
  const counting = listQueryFiltersLikeliestFirst(query).map(async (filter) => {
    const { totalItems, isTotalExact } = await countHits(dropQueryFilter(query, filter));
    return { filter, totalItems, isTotalExact };
  });
  const helpful = (await Promise.all(counting)).filter(({ totalItems }) => totalItems > 0);
  return helpful.sort((a, b) => Number(b.isTotalExact) - Number(a.isTotalExact) || b.totalItems - a.totalItems);
}

async function tryCorrections(suggestions: readonly Suggestion[], query: LearningObjectQuery, countHits: CountHits) {
  const corrections = listOtherLabels(suggestions, query.keywords);
  const minScore = MIN_SHARE_OF_BEST * (corrections[0]?.score ?? 0);
  const likely = corrections.slice(0, MAX_CORRECTIONS).filter(({ score }) => score >= minScore);
  return tryLabels(likely, query, countHits);
}

/** Returns the labels with hits; first those that have some with the filters of the query. */
async function tryLabels(labels: readonly Pick<Term, 'label'>[], query: LearningObjectQuery, countHits: CountHits) {
  const tried = await Promise.all(labels.map(({ label }) => tryWords({ ...query, keywords: label }, countHits)));
  const useful = tried.filter(({ totalItems }) => totalItems > 0);
  return useful.sort((a, b) => Number(b.keepsFilters) - Number(a.keepsFilters));
}

async function tryWords(query: LearningObjectQuery, countHits: CountHits): Promise<WordsTried> {
  const { keywords } = query;
  const hits = await countHits(query);
  if (hits.totalItems > 0 || listQueryFilters(query).length === 0) return { keywords, ...hits, keepsFilters: true };
  return { keywords, ...(await countHits(dropQueryFilters(query))), keepsFilters: false };
}

/** Returns whether the result of a search with all of its words is worth offering. */
type IsGood = (query: LearningObjectQuery, result: SearchResult) => boolean;

/** A result is good if no word was corrected, and its best hit fits in the right language: of the
 *  filter, else clearly of the keywords, else, for changed words, the person's. */
async function createResultJudge({ keywords, prefer }: LearningObjectQuery): Promise<IsGood> {
  const { lang: detected, isLangDetected } = await detectTextLanguage(keywords, TAXONOMY_LANGUAGES);
  return (query, { corrected, items: [best] }) => {
    const fallback = query.keywords === keywords ? undefined : prefer;
    const lang = query.lang ?? (isLangDetected ? detected : fallback);
    const bestLang = best?.object.lang?.slice(0, 2);
    const isRightLang = lang === undefined || bestLang === undefined || bestLang === lang;
    return best !== undefined && best.tier !== 'close' && corrected === undefined && isRightLang;
  };
}

interface HitCount {
  readonly totalItems: number;
  readonly isTotalExact: boolean;
  /** Whether an upstream gave a best hit that has none of the words. */
  readonly isMaybeCorrected?: boolean;
}

const NO_HITS: HitCount = { totalItems: 0, isTotalExact: true };

/** Counts no hits for a result that is not good, failed or late. Equal searches are made once. */
type CountHits = (query: LearningObjectQuery) => Promise<HitCount>;

const COUNTS_AT_ONCE = 2;
/** Errors of a service with too much load, which counts must not increase. */
const overloadCodes: ReadonlySet<ErrorCode | null> = new Set([
  'UPSTREAM_BUSY',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_PAUSED',
] as const);

/** Counts until the deadline or an overload. Errors: the caller's reason for giving up. */
function createHitCounter(search: SearchLearningObjects, deadline: Deadline, isGood: IsGood): CountHits {
  const { signal } = deadline;
  const queue = limitConcurrency({ running: COUNTS_AT_ONCE });
  const counts = new Map<string, Promise<HitCount>>();
  let isOverloaded = false;

  async function count(query: LearningObjectQuery): Promise<HitCount> {
    if (isOverloaded || signal.aborted) return NO_HITS;
    try {
      const result = await search(query, { signal });
      isOverloaded ||= result.missing.some(({ code }) => overloadCodes.has(code));
      // Some services call a result B00 for its worst hits: the strict model tells whether any hit
      // has all of the words.
      const isWhole = result.quality === 'A00' || query.model === 'strict' || result.items.length === 0;
      const strict = isWhole ? result : await search({ ...query, model: 'strict' }, { signal });
      // Without items, the total counts only objects that our filters refuse.
      if (result.items.length === 0 || !isGood(query, strict)) return NO_HITS;
      const [best] = result.items;
      const isMaybeCorrected = best?.source.upstream != null && !mentionsAny(best.object, query.keywords);
      return {
        totalItems: result.totalItems,
        isTotalExact: result.isTotalExact,
        ...(isMaybeCorrected && { isMaybeCorrected }),
      };
    } catch (error) {
      isOverloaded ||= error instanceof AppError && overloadCodes.has(error.code);
      return NO_HITS;
    }
  }

  return async (changed) => {
    // A wish ranks results, so it must not stand against one that fits.
    const query = { ...changed, page: 0, max: 1, without: wishKinds };
    const key = makeSearchCacheKey(query, false);
    const counting = counts.get(key) ?? queue(() => count(query));
    counts.set(key, counting);
    return (await deadline.inTime(counting)) ?? NO_HITS;
  };
}

function mentionsAny({ title, description = '' }: LearningObject, keywords: string): boolean {
  const text = foldText(`${title} ${description}`);
  return foldText(keywords)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word !== '' && text.includes(word));
}
