import type { LearningObject } from '../../domain/learning-object.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import { AppError } from '../../errors.ts';
import type { SearchAnswer } from '../../ports/learning-service.ts';

export type SearchOne = (query: LearningObjectQuery, signal?: AbortSignal) => Promise<SearchAnswer>;

const MAX_AT_ONCE = 4;
/** The most the specification gives in one page. */
const PAGE_SIZE = 20;
/** Nobody reads on for longer, and every page further costs a call of every provider. */
const MAX_DEPTH = 100;

/** One search over several providers of a service that knows one provider per search. A stopgap: services/discovery will
 *  do this with more care.
 *  Shape:  results in turn from each provider, by rank; totals are sums, and do not know of `types` and `blooms`;
 *          `requestId` is of the search that found the first result of the page, so feedback fits that one.
 *  Errors: of a provider where none could answer, or where the request is at fault. */
export async function searchEach(
  query: LearningObjectQuery,
  ids: readonly string[],
  searchOne: SearchOne,
): Promise<SearchAnswer> {
  const start = query.page * query.max;
  const end = Math.min(start + query.max, MAX_DEPTH);
  const settled = await mapBounded(ids, (id) => collect(plainQuery(query, id), end, searchOne));
  const found = settled.flatMap((each) => (each instanceof AppError ? [] : [each]));
  const errors = settled.filter((each) => each instanceof AppError);
  const fault = errors.find(({ kind }) => kind !== 'unavailable' && kind !== 'rate_limited');
  if (fault !== undefined || (found.length === 0 && errors.length > 0)) throw fault ?? errors[0];
  const merged = takeInTurn(found.map(({ content }) => content)).filter((object) => fits(object, query));
  const content = merged.slice(start, end);
  return {
    requestId: (found.find((each) => each.content.includes(content[0]!)) ?? found[0])?.requestId ?? '',
    content,
    page: query.page,
    itemsPerPage: query.max,
    totalItems: found.reduce((sum, { totalItems }) => sum + totalItems, 0),
    hasMore: end < MAX_DEPTH && (merged.length > end || found.some(({ hasMore }) => hasMore)),
    quality: qualityOf(found, errors.length > 0),
  };
}

/** Strict about the provider, or a service that finds nothing there would give what others are asked for as well. Any
 *  language cannot be asked for; the specification's default is the nearest. */
function plainQuery(query: LearningObjectQuery, id: string): LearningObjectQuery {
  const { lang = 'en', important } = query;
  const own = { providers: [id], types: [], blooms: [], lang, max: PAGE_SIZE };
  return { ...query, ...own, important: new Set([...important, 'provider' as const]) };
}

/** The first results of one provider, at least `count` where there are as many. */
async function collect(query: LearningObjectQuery, count: number, search: SearchOne): Promise<SearchAnswer> {
  const first = await search({ ...query, page: 0 });
  let last = first;
  const content = [...first.content];
  for (let page = 1; last.hasMore && last.content.length > 0 && content.length < count; page++) {
    last = await search({ ...query, page });
    content.push(...last.content);
  }
  return { ...first, content, hasMore: last.hasMore };
}

/** First the best of each list, then the second of each, and so on; what is in several lists, once. */
function takeInTurn(lists: readonly (readonly LearningObject[])[]): LearningObject[] {
  const byUrl = new Map<string, LearningObject>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank++)
    for (const list of lists) {
      const object = list[rank];
      if (object !== undefined && !byUrl.has(object.url)) byUrl.set(object.url, object);
    }
  return [...byUrl.values()];
}

/** An object that says nothing of its types or objectives may have the wanted ones. */
function fits({ type, bloom }: LearningObject, { types, blooms }: LearningObjectQuery): boolean {
  const overlap = (has: readonly string[], wanted: readonly string[]) =>
    has.length === 0 || wanted.length === 0 || has.some((name) => wanted.includes(name));
  return overlap(type, types) && overlap(bloom, blooms);
}

function qualityOf(found: readonly SearchAnswer[], isIncomplete: boolean): SearchAnswer['quality'] {
  const qualities = found.map(({ quality }) => quality);
  if (qualities.every((quality) => quality === 'C00')) return 'C00';
  return qualities.includes('A00') && !isIncomplete ? 'A00' : 'B00';
}

/** The results in the order of the items, a few made at once; an `AppError` in the place of each that failed. */
async function mapBounded<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<(R | AppError)[]> {
  const results: (R | AppError)[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      results[index] = await work(item).catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
  return results;
}
