import { limitConcurrency } from '#domain/async/limit-concurrency';
import { type LearningObjectQuery, wishKinds } from '#domain/learning-object-query';
import { AppError, type ErrorCode } from '#errors';
import type { StartTimer } from '#ports/clock';
import type { CallOptions, Suggestion, Term } from '#ports/learning-service';
import { makeSearchKey } from '../cache-rules.ts';
import {
  dropQueryFilter,
  dropQueryFilters,
  listQueryFilters,
  listQueryFiltersLikeliestFirst,
} from '../query-filters.ts';
import { type Deadline, startDeadline } from '../signals.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { detectLanguage, TAXONOMY_LANGUAGES } from '../text-language.ts';
import type { FilterToDrop, OtherWords, SearchResult, WaysOut } from './results.ts';
import type { SearchLearningObjects } from './search.ts';
import { dropDuplicates, findSimilarSkills, foldSkillLabel } from './skills.ts';

export interface WaysOutDeps {
  readonly answers: TenantAnswers;
  readonly search: SearchLearningObjects;
  /** The system's when absent. */
  readonly startTimer?: StartTimer;
}

const TIMEOUT_MS = 2_000;
/** Words of each kind that are tried. */
const MAX_CORRECTIONS = 3;
const MAX_SIMILAR = 5;
/** Where one is this much better, the others are not what was meant. */
const LEAST_SHARE_OF_BEST = 0.8;

export interface WaysOutOptions extends CallOptions {
  /** Also terms like the keywords; left out unless asked for, because each is searched for. */
  readonly withSimilar?: boolean;
}

/** Searches without the filters one by one, with other words, without any filter, and for terms like the words, in that order:
 *  only what finds something good is offered. */
export async function findWaysOut(
  { answers, search, startTimer }: WaysOutDeps,
  query: LearningObjectQuery,
  { signal, withSimilar = false }: WaysOutOptions = {},
): Promise<WaysOut> {
  const judge = await createJudge(query);
  const deadline = startDeadline(TIMEOUT_MS, signal, startTimer);
  try {
    const count = createFoundCounter(search, deadline, judge);
    return await findInTime(query, { answers, deadline, count, withSimilar });
  } finally {
    deadline.clear();
  }
}

/** Whether the words needed no correction, and the best that was found fits and is in the right language: that of the filter, or of the
 *  words where they are clear. Other words than the person's own lead to no other language than theirs. */
async function createJudge({ keywords, prefer }: LearningObjectQuery): Promise<IsGood> {
  const { lang: spoken, isLangDetected } = await detectLanguage(keywords, TAXONOMY_LANGUAGES);
  return (asked, { corrected, items: [best] }) => {
    const otherwise = asked.keywords === keywords ? undefined : prefer;
    const lang = asked.lang ?? (isLangDetected ? spoken : otherwise);
    const found = best?.object.lang?.slice(0, 2);
    const isRight = lang === undefined || found === undefined || found === lang;
    return best !== undefined && best.tier !== 'close' && corrected === undefined && isRight;
  };
}

interface FindingDeps extends Pick<WaysOutDeps, 'answers'> {
  readonly deadline: Deadline;
  readonly count: CountFound;
  readonly withSimilar: boolean;
}

async function findInTime(
  query: LearningObjectQuery,
  { answers, deadline, count, withSimilar }: FindingDeps,
): Promise<WaysOut> {
  const within = { signal: deadline.signal };
  const findingFilters = findFilters(query, count);
  const suggested = deadline.inTime(answers.ask('suggest', { keywords: query.keywords }, within));
  const findingTerms = withSimilar ? deadline.inTime(findSimilarSkills(answers, query, within)) : null;
  // After the corrections, or after the filters where corrections are late.
  const inTurn = Promise.race([suggested, findingFilters]);
  const [corrections, filters, withoutAny, similar] = await Promise.all([
    suggested.then((found) => findCorrections(found?.value.suggestions ?? [], query, count)),
    findingFilters,
    inTurn.then(() => countWithoutFilters(query, count)),
    Promise.all([findingTerms, inTurn]).then(([terms]) =>
      findUseful(otherLabels(terms?.value ?? [], query.keywords).slice(0, MAX_SIMILAR), query, count),
    ),
  ]);
  // The words are right where they find something good without the filters.
  const isMisspelt = withoutAny.totalItems === 0;
  const didYouMean = corrections.filter(({ keepsFilters }) => keepsFilters || isMisspelt);
  return {
    didYouMean,
    similar: otherThan(didYouMean, similar),
    filters,
    totalWithoutFilters: withoutAny.totalItems,
    isTotalWithoutFiltersExact: withoutAny.isTotalExact,
  };
}

/** The best suggestions that find something. */
async function findCorrections(
  suggestions: readonly Suggestion[],
  query: LearningObjectQuery,
  count: CountFound,
): Promise<readonly OtherWords[]> {
  const others = otherLabels(suggestions, query.keywords);
  const least = LEAST_SHARE_OF_BEST * (others[0]?.score ?? 0);
  const tried = others.slice(0, MAX_CORRECTIONS).filter(({ score }) => score >= least);
  return findUseful(tried, query, count);
}

/** Those that find something; first those that do with the filters. */
async function findUseful(
  labels: readonly Pick<Term, 'label'>[],
  query: LearningObjectQuery,
  count: CountFound,
): Promise<readonly OtherWords[]> {
  const measured = await Promise.all(
    labels.map(({ label }) => measure({ ...query, keywords: label }, count)),
  );
  const useful = measured.filter(({ totalItems }) => totalItems > 0);
  return useful.sort((a, b) => Number(b.keepsFilters) - Number(a.keepsFilters));
}

async function measure(query: LearningObjectQuery, count: CountFound): Promise<OtherWords> {
  const { keywords } = query;
  const found = await count(query);
  if (found.totalItems > 0 || listQueryFilters(query).length === 0)
    return { keywords, ...found, keepsFilters: true };
  return { keywords, ...(await count(dropQueryFilters(query))), keepsFilters: false };
}

async function findFilters(query: LearningObjectQuery, count: CountFound): Promise<readonly FilterToDrop[]> {
  const measured = listQueryFiltersLikeliestFirst(query).map(async (filter) => ({
    filter,
    ...(await count(dropQueryFilter(query, filter))),
  }));
  const helpful = (await Promise.all(measured)).filter(({ totalItems }) => totalItems > 0);
  return helpful.sort(compareFoundCounts);
}

async function countWithoutFilters(query: LearningObjectQuery, count: CountFound): Promise<FoundCount> {
  return listQueryFilters(query).length === 0 ? NOTHING_FOUND : count(dropQueryFilters(query));
}

function otherThan(offered: readonly OtherWords[], words: readonly OtherWords[]): OtherWords[] {
  const known = new Set(offered.map(({ keywords }) => foldSkillLabel(keywords)));
  return words.filter(({ keywords }) => !known.has(foldSkillLabel(keywords)));
}

/** Each label once, without what was searched for. */
function otherLabels<T extends { readonly label: string }>(items: readonly T[], keywords: string): T[] {
  const asked = foldSkillLabel(keywords);
  return dropDuplicates(items, ({ label }) => foldSkillLabel(label)).filter(
    ({ label }) => foldSkillLabel(label) !== asked,
  );
}

interface FoundCount {
  readonly totalItems: number;
  readonly isTotalExact: boolean;
}

/** Whether what has all of the words is worth offering. */
type IsGood = (asked: LearningObjectQuery, found: SearchResult) => boolean;

/** How much a search finds; nothing where that is not good, or it fails, is late, or is not asked any more. The same search is asked once. */
type CountFound = (query: LearningObjectQuery) => Promise<FoundCount>;

const NOTHING_FOUND: FoundCount = { totalItems: 0, isTotalExact: true };

/** Counts that run at the same time; the others wait their turn. */
const AT_ONCE = 2;
/** A service that answers so has enough to do; counts are only nice to have. */
const overloadCodes: ReadonlySet<ErrorCode | null> = new Set([
  'UPSTREAM_BUSY',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_PAUSED',
] as const);

/** Counts until the deadline, or until the service has too much to do. Errors: the caller's reason for giving up. */
function createFoundCounter(search: SearchLearningObjects, deadline: Deadline, isGood: IsGood): CountFound {
  const inTurn = limitConcurrency({ running: AT_ONCE });
  const counts = new Map<string, Promise<FoundCount>>();
  let isOverloaded = false;

  async function countOne(query: LearningObjectQuery): Promise<FoundCount> {
    if (isOverloaded || deadline.signal.aborted) return NOTHING_FOUND;
    try {
      const found = await search(query, { signal: deadline.signal });
      isOverloaded ||= found.missing.some(({ code }) => overloadCodes.has(code));
      // Some services say B00 of worse ones than the best, too: then what has all of the words is asked for.
      const isWhole = found.quality === 'A00' || query.model === 'strict' || found.items.length === 0;
      const whole = isWhole
        ? found
        : await search({ ...query, model: 'strict' }, { signal: deadline.signal });
      return isGood(query, whole) ? toCount(found) : NOTHING_FOUND;
    } catch (error) {
      isOverloaded ||= error instanceof AppError && overloadCodes.has(error.code);
      return NOTHING_FOUND;
    }
  }

  return async (changed) => {
    // What is only wished for is no reason against what fits.
    const query = { ...changed, page: 0, max: 1, without: wishKinds };
    const key = makeSearchKey(query, false);
    const count = counts.get(key) ?? inTurn(() => countOne(query));
    counts.set(key, count);
    return (await deadline.inTime(count)) ?? NOTHING_FOUND;
  };
}

/** Without items, the total counts only objects that our own filters refuse. */
function toCount({ items, totalItems, isTotalExact }: SearchResult): FoundCount {
  return items.length === 0 ? NOTHING_FOUND : { totalItems, isTotalExact };
}

/** For sorting: exact counts before estimates, then the highest first. */
function compareFoundCounts(one: FoundCount, other: FoundCount): number {
  return Number(other.isTotalExact) - Number(one.isTotalExact) || other.totalItems - one.totalItems;
}
