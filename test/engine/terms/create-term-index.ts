import { buildTermData } from '../../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTermIndex } from '../../../src/engine/terms/term-index.ts';
import type { Concept, TermIndex, TermIndexOptions } from '../../../src/engine/terms/types.ts';

export function createTermIndex(concepts: readonly Concept[], options: Partial<TermIndexOptions> = {}): TermIndex {
  return openTermIndex(buildTermData(concepts, { mainSource: 'Skilldock', ...options }), options.encoder);
}
