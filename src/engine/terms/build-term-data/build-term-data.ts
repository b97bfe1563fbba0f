import { buildTypoTable } from '#engine/text/typo-table';
import { encodeLabels, nothingEncoded } from '../label-meaning.ts';
import { buildSequenceTrie } from '../sequence-trie.ts';
import { buildGrams } from '../similar/grams.ts';
import { buildCompletions } from '../suggest/build-completions.ts';
import { buildCoverage } from '../tagger/build-coverage.ts';
import type { LabelTable, TermData } from '../term-data.ts';
import type { Concept, TermIndexOptions } from '../types.ts';
import { buildVectors } from '../vectors/vectors.ts';
import { buildConcepts } from './build-concepts.ts';
import { buildLabels } from './build-labels.ts';
import { buildTerms } from './build-terms.ts';

/** Index all concepts of all taxonomies. To change one, build again.
 *  Errors: CATALOG_INVALID when two concepts have one id. */
export function buildTermData(concepts: readonly Concept[], options: TermIndexOptions): TermData {
  const input = buildLabels(concepts, options.phrases ?? []);
  const { labels, vocabulary } = buildTerms(input);
  const table = buildConcepts(concepts, input.labelStart);
  const { encoder, ownSource } = options;
  return {
    concepts: table,
    labels,
    vocabulary,
    coverage: buildCoverage({ labels, vocabulary, concepts: table }),
    phrases: buildPhrases(labels, vocabulary.idf.length),
    spelling: buildTypoTable(input.words),
    grams: buildGrams({ labels, words: input.words, langs: input.langs }),
    completions: buildCompletions(labels, input.words, input.langs),
    vectors: buildVectors({ concepts, labelStart: input.labelStart, labels, vocabulary }),
    meaning: encoder === undefined ? nothingEncoded : encodeLabels(labels, vocabulary.langs, encoder),
    ownSource,
  };
}

function buildPhrases({ terms, termStart }: LabelTable, termCount: number): TermData['phrases'] {
  const owner = Uint32Array.from(termStart.keys()).filter(
    (label) => label + 1 < termStart.length && termStart[label] !== termStart[label + 1],
  );
  const begin = owner.map((label) => termStart[label]!);
  return buildSequenceTrie({ values: terms, ownerStart: termStart, begin, owner, valueCount: termCount });
}
