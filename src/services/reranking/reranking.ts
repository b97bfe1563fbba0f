import { tiers } from '../../domain/answer.ts';
import type { LearningObject } from '../../domain/learning-object.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { LearningService, SearchAnswer, SearchOptions, Term } from '../../ports/learning-service.ts';
import { listQueryFilters } from '../discovery/query-filters.ts';
import { createLikeness, fuseRanks, type LikenessDeps } from './likeness.ts';

export interface RerankingDeps extends LikenessDeps {
  /** Our own engine: it gives pages of 50, and the same page each time. */
  readonly learning: LearningService;
  /** Taxonomy whose terms come first. */
  readonly ownSource: string;
  /** An id for a page that has other objects than the service returned, as an id is good for feedback on its own only. */
  issueRequestId(content: readonly LearningObject[]): string;
}

type Search<T> = (query: LearningObjectQuery, options?: SearchOptions) => Promise<T>;

/** The best of a search that are put into a new order; what comes after them stays as it is. */
const WINDOW = 50;

/** The same service, but the best objects it finds are ordered by meaning as well. Totals, quality and facets stay as they are,
 *  and all pages together have the same objects, each once. Without vectors, the order is that of the service. */
export function createReranking({
  learning,
  ownSource,
  issueRequestId,
  ...deps
}: RerankingDeps): LearningService {
  const findLikeness = createLikeness(deps);

  async function rerank(
    search: Search<SearchAnswer | null>,
    { query, page, options }: { query: LearningObjectQuery; page: SearchAnswer; options: SearchOptions },
  ): Promise<SearchAnswer> {
    const isWhole = query.page === 0 && page.content.length === Math.min(WINDOW, page.totalItems);
    const best = isWhole ? page : await search({ ...query, page: 0, max: WINDOW }, options);
    if (best === null || !canMove(query, best) || !isSameCatalogue(query, page, best)) return page;
    const likeness = await findLikeness({
      query: query.keywords,
      texts: best.content.map(describeObject),
      isContinued: query.page > 0,
      signal: options.signal,
    });
    if (likeness === null) return page;
    const cut = cutPage(query, page, { best, order: keepTiers(fuseRanks(likeness), best) });
    return { ...cut, requestId: issueRequestId(cut.content) };
  }

  /** Pages that begin after the window are left to the service, and so are searches that are not sorted by relevance. */
  function around<T extends SearchAnswer | null>(search: Search<T>): Search<T | SearchAnswer> {
    return async (query, options = {}) => {
      const page = await search(query, options);
      const isRanked = query.sort === 'popularity' && query.keywords.trim() !== '';
      if (page === null || page.content.length === 0 || !isRanked) return page;
      return query.page * query.max < WINDOW ? rerank(search, { query, page, options }) : page;
    };
  }

  return {
    ...learning,
    searchProvider: around(learning.searchProvider),
    searchMany: around(learning.searchMany),

    async similar(request, options = {}) {
      const terms = await learning.similar(request, options);
      if (terms.length < 2 || request.keywords.trim() === '') return terms;
      const likeness = await findLikeness({
        query: request.keywords,
        texts: terms.map(({ label }) => label),
        isContinued: false,
        signal: options.signal,
      });
      if (likeness === null) return terms;
      const isOwn = ({ source }: Term) => source === ownSource || source === `${ownSource} synonyms`;
      const end = terms.findIndex((term) => !isOwn(term));
      const ownCount = end < 0 ? terms.length : end;
      return [
        ...moveTerms(terms.slice(0, ownCount), likeness.subarray(0, ownCount)),
        ...moveTerms(terms.slice(ownCount), likeness.subarray(ownCount)),
      ];
    },
  };
}

function describeObject({ title, description }: LearningObject): string {
  return description === undefined ? title : `${title}. ${description}`;
}

/** What misses a filter that yields is ranked lower for it, and only the service knows which objects these are. Language and
 *  provider yield for all objects or for none. */
function canMove(query: LearningObjectQuery, { content, quality, totalItems }: SearchAnswer): boolean {
  const isYielding =
    query.match === 'best-effort' &&
    listQueryFilters(query).some(
      (filter) => filter !== 'lang' && filter !== 'provider' && !query.important.has(filter),
    );
  const isWhole = content.length === Math.min(WINDOW, totalItems);
  return isWhole && content.length > 1 && (!isYielding || quality === 'A00');
}

/** Whether window and page agree: the catalogue may change between the two searches, and the page would then have an object
 *  twice. */
function isSameCatalogue(
  { page: number, max }: LearningObjectQuery,
  page: SearchAnswer,
  best: SearchAnswer,
): boolean {
  const inWindow = new Set(best.content.map(({ url }) => url));
  return page.content.every(({ url }, index) => inWindow.has(url) === number * max + index < WINDOW);
}

/** What fits stays before what is only close. */
function keepTiers(order: readonly number[], { tiers: own }: SearchAnswer): readonly number[] {
  const tierOf = (index: number) => tiers.indexOf(own?.[index] ?? 'fitting');
  return order.toSorted((a, b) => tierOf(a) - tierOf(b));
}

interface Reranked {
  readonly best: SearchAnswer;
  /** Indexes of the content of `best`. */
  readonly order: readonly number[];
}

/** The page with the objects that are now at its places. Where it goes beyond the window, the rest stays. So do `tiers`: each place
 *  keeps its tier. */
function cutPage(
  { page: number, max }: LearningObjectQuery,
  page: SearchAnswer,
  { best, order }: Reranked,
): SearchAnswer {
  const places = order.slice(number * max, (number + 1) * max);
  const cut = <T extends object>(own: readonly T[], all: readonly T[]): T[] => [
    ...places.flatMap((index) => all.slice(index, index + 1)),
    ...own.slice(places.length),
  ];
  const { highlights } = page;
  return {
    ...page,
    content: cut(page.content, best.content),
    ...(highlights && best.highlights && { highlights: cut(highlights, best.highlights) }),
  };
}

/** Scores stay at their places, so that they still decrease. */
function moveTerms(terms: readonly Term[], likeness: Float64Array): readonly Term[] {
  const moved = fuseRanks(likeness).flatMap((from) => terms.slice(from, from + 1));
  return moved.map(({ label, source }, place) => {
    const score = terms[place]?.score;
    return { label, source, ...(score !== undefined && { score }) };
  });
}
