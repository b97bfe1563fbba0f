import { createGrowableUint8, createGrowableUint32 } from '#engine/arrays';
import { buildStringTable } from '#engine/string-table';
import { buildTypoTable } from '#engine/text/typo-table';
import { AppError } from '#errors';
import { encodeLabels, noMeaning } from '../label-meaning.ts';
import { buildSequenceTrie } from '../sequence-trie.ts';
import { buildGrams } from '../similar/grams.ts';
import { buildCompletions } from '../suggest/completions.ts';
import { buildCoverage } from '../tagger/build-coverage.ts';
import { type ConceptTable, type LabelTable, linkKinds, type TermData } from '../term-data.ts';
import { type Concept, conceptKinds, type LinkName, linkNames, type TermIndexOptions } from '../types.ts';
import { buildTermVectors } from '../vectors/term-vectors.ts';
import { buildLabels } from './build-labels.ts';
import { buildTerms } from './build-terms.ts';

/** Builds all tables of an index, which do not change. Errors: CATALOG_INVALID if two concepts
 *  have one id, or there are more than 256 taxonomies. */
export function buildTermData(concepts: readonly Concept[], options: TermIndexOptions): TermData {
  const input = buildLabels(concepts, options.phrases ?? []);
  const { labels, vocabulary } = buildTerms(input);
  const table = buildConceptTable(concepts, input.labelStart);
  const { encoder, mainSource } = options;
  return {
    concepts: table,
    labels,
    vocabulary,
    coverage: buildCoverage({ labels, vocabulary, concepts: table }),
    phrases: buildPhraseTrie(labels, vocabulary.idf.length),
    spelling: buildTypoTable(input.words),
    grams: buildGrams({ labels, words: input.words, langs: input.langs }),
    completions: buildCompletions(labels, input.words, input.langs),
    vectors: buildTermVectors({ concepts, labelStart: input.labelStart, labels, vocabulary }),
    meaning: encoder === undefined ? noMeaning : encodeLabels(labels, vocabulary.langs, encoder),
    mainSource,
  };
}

function buildPhraseTrie({ terms, termStart }: LabelTable, termCount: number): TermData['phrases'] {
  const labels = Uint32Array.from(termStart.keys()).subarray(0, -1);
  const owner = labels.filter((label) => termStart[label] !== termStart[label + 1]);
  const begin = owner.map((label) => termStart[label]!);
  return buildSequenceTrie({ values: terms, ownerStart: termStart, begin, owner, valueCount: termCount });
}

/** The kind of each link in the other direction. */
const INVERSE: Readonly<Record<LinkName, number>> = {
  broader: linkKinds.narrower,
  narrower: linkKinds.broader,
  related: linkKinds.related,
  sameAs: linkKinds.sameAs,
  essential: linkKinds.essentialFor,
  optional: linkKinds.optionalFor,
};

function buildConceptTable(concepts: readonly Concept[], labelStart: Uint32Array): ConceptTable {
  const sources = [...new Set(concepts.map(({ source }) => source))];
  if (sources.length > 256)
    throw new AppError('CATALOG_INVALID', `There are ${sources.length} taxonomies; one index holds at most 256.`);
  return {
    ids: buildStringTable(concepts.map(({ id }) => id)),
    uris: buildStringTable(concepts.map(({ uri = '' }) => uri)),
    sources,
    sourceOf: Uint8Array.from(concepts, ({ source }) => sources.indexOf(source)),
    kindOf: Uint8Array.from(concepts, ({ kind }) => conceptKinds.indexOf(kind)),
    labelStart,
    ...buildLinks(concepts),
  };
}

function buildLinks(concepts: readonly Concept[]) {
  const ordinals = numberConcepts(concepts);
  const kindsByTarget: Map<number, number>[] = concepts.map(() => new Map());
  // Only the first kind of a pair is stored.
  const connect = (from: number, to: number, kind: number) => {
    if (from !== to && !kindsByTarget[from]!.has(to)) kindsByTarget[from]!.set(to, kind);
  };
  for (const name of linkNames) {
    for (const [from, { links }] of concepts.entries()) {
      for (const id of links?.[name] ?? []) {
        const to = ordinals.get(id);
        if (to === undefined) continue;
        connect(from, to, linkKinds[name]);
        connect(to, from, INVERSE[name]);
      }
    }
  }
  const linkStart = new Uint32Array(concepts.length + 1);
  const linkTarget = createGrowableUint32();
  const linkKind = createGrowableUint8();
  for (const [from, targets] of kindsByTarget.entries()) {
    for (const [to, kind] of targets) {
      linkTarget.push(to);
      linkKind.push(kind);
    }
    linkStart[from + 1] = linkTarget.length;
  }
  return { linkStart, linkTarget: linkTarget.finish(), linkKind: linkKind.finish() };
}

function numberConcepts(concepts: readonly Concept[]): Map<string, number> {
  const ordinals = new Map<string, number>();
  for (const [ordinal, { id }] of concepts.entries()) {
    if (ordinals.has(id))
      throw new AppError('CATALOG_INVALID', `Two concepts have the id "${id}"; an id names one concept only.`);
    ordinals.set(id, ordinal);
  }
  return ordinals;
}
