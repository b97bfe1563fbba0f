import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { CallOptions, Suggestion } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { startDeadline } from './deadline.ts';
import { distinctBy, foldLabel } from './distinct.ts';
import { activeFilters, withoutFilter, withoutFilters } from './query-filters.ts';
import type { Correction, FilterToDrop, WaysOut } from './results.ts';
import type { SearchLearningObjects } from './search.ts';
import { findSimilar } from './skills.ts';

export interface WaysOutDeps {
  readonly answers: Pick<TenantAnswers, 'similar' | 'suggest'>;
  readonly search: SearchLearningObjects;
}

const TIMEOUT_MS = 2_000;
const MAX_SIMILAR = 8;
/** Suggestions that are tried. */
const MAX_CORRECTIONS = 3;
/** Others are not what was meant where one is that much better. */
const LEAST_SHARE_OF_BEST = 0.8;

export async function findWaysOut(
  { answers, search }: WaysOutDeps,
  query: LearningObjectQuery,
  options: CallOptions = {},
): Promise<WaysOut> {
  const deadline = startDeadline(TIMEOUT_MS, options.signal);
  const within = { signal: deadline.signal };
  const count: Count = async (changed) => {
    const found = await deadline.inTime(search({ ...changed, page: 0, max: 1 }, within));
    // Without items its total counts what our own filters refuse.
    return found === null || found.items.length === 0 ? 0 : found.totalItems;
  };
  const suggested = deadline.inTime(answers.suggest({ keywords: query.keywords }, within));
  const similar = deadline.inTime(findSimilar(answers, query, within));
  const [didYouMean, filters, totalWithoutFilters] = await Promise.all([
    suggested.then((found) => findCorrections(found?.value.suggestions ?? [], query, count)),
    findFilters(query, count),
    activeFilters(query).length === 0 ? 0 : count(withoutFilters(query)),
  ]);
  const terms = (await similar)?.value ?? [];
  deadline.clear();
  options.signal?.throwIfAborted();
  return {
    didYouMean,
    similar: otherLabels(terms, query.keywords).slice(0, MAX_SIMILAR),
    filters,
    totalWithoutFilters,
  };
}

/** How many a search finds; 0 where it fails or is late. */
type Count = (query: LearningObjectQuery) => Promise<number>;

/** The best suggestions that find something. */
async function findCorrections(
  suggestions: readonly Suggestion[],
  query: LearningObjectQuery,
  count: Count,
): Promise<readonly Correction[]> {
  const others = otherLabels(suggestions, query.keywords);
  const least = LEAST_SHARE_OF_BEST * (others[0]?.score ?? 0);
  const tried = others.slice(0, MAX_CORRECTIONS).filter(({ score }) => score >= least);
  const measured = await Promise.all(tried.map(({ label }) => measure({ ...query, keywords: label }, count)));
  const useful = measured.filter(({ totalItems }) => totalItems > 0);
  return useful.sort((a, b) => Number(b.keepsFilters) - Number(a.keepsFilters));
}

async function measure(query: LearningObjectQuery, count: Count): Promise<Correction> {
  const { keywords } = query;
  const totalItems = await count(query);
  if (totalItems > 0 || activeFilters(query).length === 0)
    return { keywords, totalItems, keepsFilters: true };
  return { keywords, totalItems: await count(withoutFilters(query)), keepsFilters: false };
}

async function findFilters(query: LearningObjectQuery, count: Count): Promise<readonly FilterToDrop[]> {
  const measured = activeFilters(query).map(async (filter) => ({
    filter,
    totalItems: await count(withoutFilter(query, filter)),
  }));
  const helpful = (await Promise.all(measured)).filter(({ totalItems }) => totalItems > 0);
  return helpful.sort((a, b) => b.totalItems - a.totalItems);
}

/** Each label once, but for what was looked for. */
function otherLabels<T extends { readonly label: string }>(items: readonly T[], keywords: string): T[] {
  const asked = foldLabel(keywords);
  return distinctBy(items, ({ label }) => foldLabel(label)).filter(({ label }) => foldLabel(label) !== asked);
}
