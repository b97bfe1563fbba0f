import type { RunLimited } from '#domain/async/limit-concurrency';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { createMerge, type Merge } from './merge.ts';
import { createProviderCallWindow } from './provider-calls.ts';
import type { FoundObject } from './results.ts';
import { type Cursor, createCursor } from './search-cursor.ts';

/** One search over several providers, as far as it was shown. */
export interface MergedSearch {
  readonly query: LearningObjectQuery;
  readonly cursors: readonly Cursor[];
  readonly merge: Merge;
  /** As they were shown. Only the last one may still grow. */
  readonly pages: Page[];
  /** Ids of the providers that are left out, as there are too many. */
  readonly notAsked: readonly string[];
  /** Runs the calls of all its requests in one window. */
  readonly inWindow: RunLimited;
  /** The present request; each has a number of its own. */
  turn: number;
  /** Whether the first page was shown without one of the providers. */
  isIncomplete: boolean;
}

export interface Page {
  readonly items: FoundObject[];
  /** By the id of a provider, how many of them are its finds. */
  readonly counts: Map<string, number>;
  isShown: boolean;
  /** By the id of a provider, how many pages of its list had been read before. */
  readonly readBefore: ReadonlyMap<string, number>;
}

export interface ProvidersToAsk {
  readonly ids: readonly string[];
  readonly notAsked: readonly string[];
}

export function createMergedSearch(
  query: LearningObjectQuery,
  { ids, notAsked }: ProvidersToAsk,
  inWindow: RunLimited = createProviderCallWindow(),
): MergedSearch {
  const merge = createMerge(ids, query.keywords);
  const cursors = merge.order.map(createCursor);
  return { query, cursors, merge, pages: [], notAsked, inWindow, turn: 0, isIncomplete: false };
}

export function createMergedPage({ cursors }: MergedSearch): Page {
  const readBefore = new Map(cursors.map(({ id, pagesRead }) => [id, pagesRead]));
  return { items: [], counts: new Map(), isShown: false, readBefore };
}
