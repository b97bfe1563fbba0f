import { buildTermData } from './build-term-data.ts';
import { countTerms, createConceptFinder, openTerms } from './concept-view.ts';
import { createExpander } from './expansions.ts';
import { createConceptRanker } from './rank-concepts.ts';
import { createSimilar } from './similar.ts';
import { createSuggest } from './suggest.ts';
import { createTagger } from './tagger.ts';
import type { TermData } from './term-data.ts';
import type { Concept, TermIndex, TermIndexOptions } from './types.ts';

export type * from './types.ts';

/** Index all concepts of all taxonomies. To change one, build again.
 *  Errors: CATALOG_INVALID when two concepts have one id. */
export function createTermIndex(concepts: readonly Concept[], options: TermIndexOptions = {}): TermIndex {
  return openTermIndex(buildTermData(concepts, options));
}

/** Answer from tables built before (see `TermData`: they can be saved and loaded). */
export function openTermIndex(data: TermData): TermIndex {
  const terms = openTerms(data);
  const rank = createConceptRanker(terms);
  return {
    similar: createSimilar(terms, rank),
    tag: createTagger(terms),
    suggest: createSuggest(terms, rank),
    expansionsOf: createExpander(terms),
    conceptById: createConceptFinder(terms),
    counts: countTerms(terms),
  };
}
