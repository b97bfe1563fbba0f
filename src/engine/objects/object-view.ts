import { forEachBit } from '../bitset.ts';
import { createTopK } from '../top-k.ts';
import { createAccumulator } from './search/accumulator.ts';
import { readDocumentId } from './search/browse.ts';
import { compileFilters, findAllowedDocuments } from './search/filters.ts';
import { searchSegments } from './search/search.ts';
import type { LiveSegment } from './segment/segment.ts';
import type { ObjectAnswer, ObjectFilters, ObjectQuery } from './types.ts';

/** Parts of several indexes, searched as one: of an index that many share what is left of it, and beside it a small one of one's
 *  own. A change of an index afterwards may or may not be seen: make another view then. */
export interface ObjectView {
  search(query: ObjectQuery): ObjectAnswer;
  /** All documents that pass, whatever their words. */
  list(request: ObjectListRequest): { readonly ids: readonly string[]; readonly total: number };
}

/** A view, or one of documents that are kept elsewhere: that has to be waited for. */
export interface ObjectSearch {
  search(query: ObjectQuery): ObjectAnswer | Promise<ObjectAnswer>;
  list(request: ObjectListRequest): ReturnType<ObjectView['list']> | Promise<ReturnType<ObjectView['list']>>;
}

export interface ObjectListRequest {
  /** Of provider, type, Bloom objective and language; each excludes. */
  readonly filters: Pick<ObjectFilters, 'provider' | 'type' | 'bloom' | 'lang'>;
  /** By popularity, the dead last; by length, the unknown last. Ties are in the same order on every host. */
  readonly sort: 'popularity' | 'shortest' | 'longest';
  readonly offset: number;
  readonly limit: number;
}

export function createObjectView(segments: readonly LiveSegment[]): ObjectView {
  const filled = segments.filter(({ liveCount }) => liveCount > 0);
  let accumulator: ReturnType<typeof createAccumulator> | undefined;
  return {
    search(query) {
      accumulator ??= createAccumulator();
      return searchSegments(filled, query, accumulator);
    },
    list(request) {
      const { hits, total } = rankListed(filled, request);
      return { ids: hits.slice(request.offset).map(({ id }) => id), total };
    },
  };
}

/** @returns those before the offset, too */
export function rankListed(segments: readonly LiveSegment[], request: ObjectListRequest) {
  const { filters, sort, offset, limit } = request;
  const top = createTopK(offset + limit);
  let [base, total] = [0, 0];
  for (const part of segments) {
    const { columns, count } = part.segment;
    const column = sort === 'popularity' ? columns.popularity : columns.minutes;
    const sign = sort === 'shortest' ? -1 : 1;
    forEachBit(findAllowedDocuments(part, compileFilters(part.segment, filters)), (doc) => {
      const value = column[doc]!;
      const rank = Number.isNaN(value) ? Number.NEGATIVE_INFINITY : sign * value;
      top.offer(rank, columns.idHash[doc]!, base + doc);
      total++;
    });
    base += count;
  }
  const { items, ranks } = top.finish();
  const hits = Array.from(items, (item, i) => ({ id: readDocumentId(segments, item), score: ranks[i]! }));
  return { hits, total };
}
