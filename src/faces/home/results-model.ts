import { AppError } from '../../errors.ts';
import type { Facets, SearchAnswer } from '../../ports/learning-service.ts';
import type { Discovery } from '../../services/discovery.ts';
import { toResultView } from './result-view.ts';
import { ITEMS_PER_PAGE, MAX_PAGE, type SearchForm, toQuery } from './search-form.ts';

const MAX_SIMILAR = 12;
const MAX_SUGGESTIONS = 5;

/** What `views/home.eta` shows of a search. */
export async function readResultsModel(discovery: Discovery, form: SearchForm) {
  const [answer, similar, suggested] = await Promise.all([
    discovery.searchLearningObjects(toQuery(form)).catch(orNothing),
    discovery.findSkills(form.q, MAX_SIMILAR, form.lang || undefined),
    discovery.complete(form.q),
  ]);
  return {
    similar: distinctLabels(similar, form.q),
    suggestions: distinctLabels(suggested.suggestions, form.q).slice(0, MAX_SUGGESTIONS),
    results: answer && toResults(answer),
    countOf: countIn(answer?.facets),
  };
}

function toResults(answer: SearchAnswer) {
  return {
    items: answer.content.map((object, i) => toResultView(object, answer.highlights?.[i])),
    total: answer.totalItems,
    /** Number of the first item, from 1. */
    first: answer.page * ITEMS_PER_PAGE + 1,
    pages: Math.min(Math.ceil(answer.totalItems / ITEMS_PER_PAGE), MAX_PAGE + 1),
    isExact: answer.quality === 'A00',
  };
}

/** How many objects a choice would leave, for its option; nothing where there is no search to count for. */
function countIn(facets: Facets | undefined) {
  return (field: keyof Facets, value: string) =>
    facets === undefined ? '' : ` (${facets[field].get(value) ?? 0})`;
}

/** A provider that no longer exists finds nothing; the page then offers to drop the filter. */
function orNothing(error: unknown): null {
  if (error instanceof AppError && error.kind === 'not_found') return null;
  throw error;
}

/** Each label once, and not what was asked for. */
function distinctLabels<T extends { readonly label: string }>(terms: readonly T[], q: string): T[] {
  const seen = new Set([q.toLowerCase()]);
  return terms.filter(({ label }) => seen.size !== seen.add(label.toLowerCase()).size);
}
