import { type DecodeOptions, decodeSnapshotStructure, encodeSnapshotStructure } from '../snapshot.ts';
import type { TextEncoding } from '../vectors/vector-rows.ts';
import { countTerms, createConceptFinder, listConcepts, openTerms } from './concept-view.ts';
import { createExpansionFinder } from './expansions.ts';
import { createConceptRanker } from './similar/rank-concepts.ts';
import { createSimilar } from './similar/similar.ts';
import { createSuggest } from './suggest/suggest.ts';
import { createTagger } from './tagger/tagger.ts';
import type { TermData } from './term-data.ts';
import type { TermIndex } from './types.ts';

const FORMAT = 'skilldock-terms';

/** Raise this whenever the meaning of a table changes: older snapshots are then rebuilt. */
const VERSION = 11;

/** Opens an index on the tables of `buildTermData`, which may have been saved and loaded.
 *  @param encoder the one that they were built with; without it, answers use words only */
export function openTermIndex(data: TermData, encoder?: TextEncoding): TermIndex {
  const terms = openTerms(data, encoder);
  const rank = createConceptRanker(terms);
  return {
    similar: createSimilar(terms, rank),
    tag: createTagger(terms),
    suggest: createSuggest(terms, rank),
    expansionsOf: createExpansionFinder(terms),
    findConcept: createConceptFinder(terms),
    listConcepts: (source) => listConcepts(terms, source),
    counts: countTerms(terms),
  };
}

/** Packs all tables into a block. @param meta facts that loading returns, such as a fingerprint */
export function saveTermIndex(data: TermData, meta: unknown): Uint8Array {
  return encodeSnapshotStructure(FORMAT, VERSION, { structure: data, meta });
}

/** Errors: SNAPSHOT_INVALID. */
export function loadTermIndex(block: Uint8Array, options?: DecodeOptions): { data: TermData; meta: unknown } {
  const { structure, meta } = decodeSnapshotStructure(FORMAT, VERSION, block, options);
  return { data: structure as TermData, meta };
}
