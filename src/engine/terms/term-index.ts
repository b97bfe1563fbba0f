import { countTerms, openTerms } from './concept-view.ts';
import { createExpander } from './expansions.ts';
import { createConceptRanker } from './similar/rank-concepts.ts';
import { createSimilar } from './similar/similar.ts';
import { createSuggest } from './suggest/suggest.ts';
import { createTagger } from './tagger/tagger.ts';
import type { TermData } from './term-data.ts';
import type { TermIndex } from './types.ts';

export type * from './types.ts';

/** Answer from tables built by `buildTermData`, now or before: they can be saved and loaded. */
export function openTermIndex(data: TermData): TermIndex {
  const terms = openTerms(data);
  const rank = createConceptRanker(terms);
  return {
    similar: createSimilar(terms, rank),
    tag: createTagger(terms),
    suggest: createSuggest(terms, rank),
    expansionsOf: createExpander(terms),
    counts: countTerms(terms),
  };
}
