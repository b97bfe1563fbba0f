import { buildCompletions } from './build-completions.ts';
import { buildConcepts } from './build-concepts.ts';
import { buildLabels } from './build-labels.ts';
import { buildCoverage, buildPostings } from './build-postings.ts';
import { buildTerms } from './build-terms.ts';
import { buildSequenceTrie } from './sequence-trie.ts';
import { buildSpelling } from './spelling.ts';
import type { LabelTable, TermData } from './term-data.ts';
import type { Concept, TermIndexOptions } from './types.ts';

/** Index all concepts of all taxonomies. To change one, build again.
 *  Errors: CATALOG_INVALID when two concepts have one id. */
export function buildTermData(concepts: readonly Concept[], options: TermIndexOptions): TermData {
  const input = buildLabels(concepts, options.phrases ?? []);
  const { labels, vocabulary } = buildTerms(input);
  return {
    concepts: buildConcepts(concepts, input.labelStart),
    labels,
    vocabulary,
    postings: buildPostings(labels, vocabulary.idf.length),
    coverage: buildCoverage(labels, vocabulary),
    phrases: buildPhrases(labels, vocabulary.idf.length),
    spelling: buildSpelling(input.words),
    completions: buildCompletions(labels, input.words, input.langs),
    ownSource: options.ownSource,
  };
}

function buildPhrases({ terms, termStart }: LabelTable, termCount: number): TermData['phrases'] {
  const owner = Uint32Array.from(termStart.keys()).filter(
    (label) => label + 1 < termStart.length && termStart[label] !== termStart[label + 1],
  );
  const begin = owner.map((label) => termStart[label]!);
  return buildSequenceTrie({ values: terms, ownerStart: termStart, begin, owner, valueCount: termCount });
}
