import { forEachBit } from '../bitset.ts';
import { createTopK } from '../top-k.ts';
import { createQueryInterpreter } from './query/interpret-query.ts';
import { createAccumulator } from './search/accumulator.ts';
import { readBrowsedDocument } from './search/browse.ts';
import { compileFilters, findAllowedDocuments } from './search/filters.ts';
import { prepareMeaning } from './search/meaning.ts';
import { type SearchTools, searchSegments } from './search/search.ts';
import type { LiveSegment } from './segment/segment.ts';
import type { ObjectAnswer, ObjectFilters, ObjectQuery } from './types.ts';

/** Searches objects in this process (synchronously) or in another engine (asynchronously). */
export interface ObjectSearch {
  search(query: ObjectQuery): ObjectAnswer | Promise<ObjectAnswer>;
  /** Lists all documents that pass the filters, ignoring keywords. */
  list(request: ObjectListRequest): ObjectList | Promise<ObjectList>;
  /** Does in steps what the first search would do at once. */
  prepare(): Iterable<void>;
}

type ObjectList = { readonly ids: readonly string[]; readonly total: number };

export interface ObjectListRequest {
  /** All filters exclude, strict or not. */
  readonly filters: Pick<ObjectFilters, 'provider' | 'type' | 'bloom' | 'lang'>;
  /** Dead documents and unknown lengths come last. Ties have the same order on every host. */
  readonly sort: 'popularity' | 'shortest' | 'longest';
  readonly offset: number;
  readonly limit: number;
}

/** Searches segments of several indexes as one, such as a shared index and a small one that
 *  replaces some of its documents. After a change of these indexes, create another view. */
export function createObjectView(segments: readonly LiveSegment[]) {
  const parts = segments.filter(({ liveCount }) => liveCount > 0);
  let tools: SearchTools | undefined;
  return {
    search(query: ObjectQuery): ObjectAnswer {
      tools ??= { accumulator: createAccumulator(), interpret: createQueryInterpreter(parts) };
      return searchSegments(parts, query, tools);
    },
    list(request: ObjectListRequest): ObjectList {
      const { hits, total } = listRankedObjects(parts, request);
      return { ids: hits.slice(request.offset).map(({ id }) => id), total };
    },
    prepare: (): Iterable<void> => prepareMeaning(parts),
  };
}

/** Lists documents with their ranks, including those before the offset. */
export function listRankedObjects(segments: readonly LiveSegment[], request: ObjectListRequest) {
  const { filters, sort, offset, limit } = request;
  const top = createTopK(offset + limit);
  let base = 0;
  let total = 0;
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
  const hits = Array.from(items, (item, i) => ({ ...readBrowsedDocument(segments, item), score: ranks[i]! }));
  return { hits, total };
}
