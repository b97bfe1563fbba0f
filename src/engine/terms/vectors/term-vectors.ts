import { createGrowableUint32 } from '#engine/arrays';
import { addCount } from '#engine/maps';
import { measureIdf } from '#engine/text/term';
import { tokenize } from '#engine/text/tokenize';
import type { OpenTerms } from '../concept-view.ts';
import { openLexicon } from '../lexicon.ts';
import type { ResolvedQuery } from '../similar/parse-query.ts';
import { type LabelTable, labelRoles, NONE, type VectorTable, type Vocabulary } from '../term-data.ts';
import type { Concept } from '../types.ts';
import { embedSparseColumns, type SparseRows } from './sparse-svd.ts';

const DIM = 128;
/** Length of a saved vector, whose numbers are signed bytes. */
const UNIT = 127;
/** The weight of the labels of a concept in its text, however many there are. */
const LABELS_WORTH = 3;

interface VectorInput {
  readonly concepts: readonly Concept[];
  readonly labelStart: Uint32Array;
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
}

/** How often each term is in the texts of a concept. */
interface ConceptText {
  readonly ofLabels: ReadonlyMap<number, number>;
  readonly ofDescription: ReadonlyMap<number, number>;
}

/** Builds vectors of terms and concepts. Words of the same labels and descriptions get near
 *  vectors, also between languages.
 *  Source: latent semantic analysis, Deerwester et al. 1990. */
export function buildTermVectors(input: VectorInput): VectorTable {
  const readConcept = createConceptReader(input);
  const texts = input.concepts.map(readConcept);
  const termCount = input.vocabulary.idf.length;
  const weights = weighVectorTerms(texts, termCount);
  const terms = normalizeRows(embedSparseColumns(toTermMatrix(texts, weights), DIM), DIM);
  const concepts = normalizeRows(sumLabelVectors(input, terms), DIM);
  return { dim: DIM, terms: roundVectors(terms), concepts: roundVectors(concepts) };
}

function createConceptReader({ labelStart, labels, vocabulary }: VectorInput) {
  const lexicon = openLexicon(vocabulary);
  return ({ description }: Concept, concept: number): ConceptText => {
    const ofLabels = new Map<number, number>();
    for (let label = labelStart[concept]!; label < labelStart[concept + 1]!; label++) {
      // Variants of alternative labels count, as in `measureSteadiness`.
      if (labels.roleOf[label] === labelRoles.variant) continue;
      for (let at = labels.termStart[label]!; at < labels.termStart[label + 1]!; at++) {
        addCount(ofLabels, labels.terms[at]!);
      }
    }
    const ofDescription = new Map<number, number>();
    for (const [lang, text] of Object.entries(description ?? {})) {
      const ordinal = lexicon.findLang(lang);
      if (ordinal < 0) continue;
      for (const term of lexicon.readContent(tokenize(text), ordinal).terms) {
        if (term !== NONE) addCount(ofDescription, term);
      }
    }
    return { ofLabels, ofDescription };
  };
}

/** Weighs terms by their idf over the texts of concepts: `manage` is frequent there, however many
 *  labels have it. */
function weighVectorTerms(texts: readonly ConceptText[], termCount: number): Float32Array {
  const having = new Uint32Array(termCount);
  for (const { ofLabels, ofDescription } of texts) {
    for (const term of ofLabels.keys()) having[term]!++;
    for (const term of ofDescription.keys()) if (!ofLabels.has(term)) having[term]!++;
  }
  return Float32Array.from(having, (n) => measureIdf(texts.length, n));
}

function toTermMatrix(texts: readonly ConceptText[], weights: Float32Array): SparseRows {
  const start = new Uint32Array(texts.length + 1);
  const columns = createGrowableUint32();
  const values: number[] = [];
  for (const [i, { ofLabels, ofDescription }] of texts.entries()) {
    const counts = new Map(ofDescription);
    const most = Math.max(LABELS_WORTH, ...ofLabels.values());
    for (const [term, n] of ofLabels) addCount(counts, term, (n * LABELS_WORTH) / most);
    const row = [...counts].map(([term, n]) => [term, Math.log1p(n) * weights[term]!] as const);
    const length = Math.hypot(...row.map(([, value]) => value)) || 1;
    for (const [term, value] of row) {
      columns.push(term);
      values.push(value / length);
    }
    start[i + 1] = columns.length;
  }
  return {
    start,
    columns: columns.finish(),
    values: Float32Array.from(values),
    columnCount: weights.length,
  };
}

function sumLabelVectors({ labels, labelStart, vocabulary }: VectorInput, terms: Float32Array): Float32Array {
  const sums = new Float32Array((labelStart.length - 1) * DIM);
  for (let concept = 0; concept + 1 < labelStart.length; concept++) {
    const end = labels.termStart[labelStart[concept + 1]!]!;
    for (let at = labels.termStart[labelStart[concept]!]!; at < end; at++) {
      const term = labels.terms[at]!;
      const weight = vocabulary.idf[term]!;
      for (let k = 0; k < DIM; k++) sums[concept * DIM + k]! += weight * terms[term * DIM + k]!;
    }
  }
  return sums;
}

function normalizeRows(rows: Float32Array, dim: number): Float32Array {
  for (let at = 0; at < rows.length; at += dim) {
    const row = rows.subarray(at, at + dim);
    const length = Math.hypot(...row);
    if (length > 0) for (let k = 0; k < dim; k++) row[k]! /= length;
  }
  return rows;
}

function roundVectors(values: Float32Array): Int8Array {
  return Int8Array.from(values, (value) => Math.round(value * UNIT));
}

export function openTermVectors({ vectors, vocabulary, lexicon }: OpenTerms) {
  const { dim, terms, concepts } = vectors;
  return {
    /** Sums up the vectors of a query's terms, to length 1; null if no term has a vector. */
    vectorOf({ termsByLang, lang }: Pick<ResolvedQuery, 'termsByLang' | 'lang'>): Float32Array | null {
      const inLanguage = termsByLang[lexicon.findLang(lang)] ?? [];
      const list = inLanguage.some((term) => term !== NONE) ? inLanguage : termsByLang.flat();
      const sum = new Float32Array(dim);
      for (const term of list) {
        if (term === NONE) continue;
        const weight = vocabulary.idf[term]!;
        for (let k = 0, at = term * dim; k < dim; k++, at++) sum[k]! += weight * terms[at]!;
      }
      const length = Math.hypot(...sum);
      return length === 0 ? null : sum.map((value) => value / length);
    },
    /** Returns the cosine of a vector and the labels of a concept, -1 to 1. */
    nearness(vector: Float32Array, concept: number): number {
      let product = 0;
      for (let k = 0, at = concept * dim; k < dim; k++, at++) product += vector[k]! * concepts[at]!;
      return product / UNIT;
    },
  };
}
