import { findNearestRows, measureCosines } from '#engine/vectors/scan';
import type { TextEncoding } from '#engine/vectors/vector-rows';
import { listConceptLabels, type OpenTerms } from '../concept-view.ts';
import type { LabelScope, TermMeaning } from '../label-meaning.ts';
import { labelRoles, NONE } from '../term-data.ts';
import { conceptKinds } from '../types.ts';
import { listTextSentences, type Span, type TextSentence } from './read-text.ts';
import { MIN_GUESS, MIN_SHARE_OF_BEST, weighTagByMeaning } from './tag-weights.ts';

/** Sentences that are compared with labels, about 2 ms each; words tag the rest of a text. */
const MAX_SENTENCES = 12;
/** The number of preferred labels nearest to a whole sentence, whose concepts are compared with its
 *  stretches. Measured: 500 of all labels find nothing more, and 100 find less. */
const NEAREST_NAMES = 200;
/** Kinds of concepts that people can learn. Trades and groups are found by words alone. */
const KINDS = (['skill', 'topic'] as const).map((kind) => conceptKinds.indexOf(kind));

interface ConceptByMeaning {
  readonly concept: number;
  /** The cosine of the preferred label and the nearest part of a sentence: 1 for the same meaning;
   *  UNKNOWN if the label has no vector. */
  readonly preferred: number;
  /** The cosine of the nearest label. */
  readonly best: number;
  /** The part of the text with this cosine: end exclusive, in UTF-16 units. */
  readonly span: readonly [start: number, end: number];
}

/** The part of a sentence that is nearest to a label. */
type Nearest = { readonly nearness: number; readonly stretch: number };

/** The nearness of a label without a vector. */
const UNKNOWN = Number.NEGATIVE_INFINITY;
/** Stands for the whole sentence instead of the index of a stretch. */
const WHOLE = -1;

export interface TagByMeaning {
  readonly concept: number;
  /** 0 to 1. */
  readonly score: number;
  readonly span: Span | null;
}

interface TextToTag {
  readonly byWords: readonly TagByMeaning[];
  readonly text: string;
  /** The ordinals of its language and of the only taxonomy, or -1 for any taxonomy. */
  readonly lang: number;
  readonly source: number;
  /** Whether guesses get the span of their nearest words. */
  readonly spans: boolean;
  /** The minimum score of the best guess; below it there are no guesses. */
  readonly leastBest: number;
}

/** Joins the tags found by words and by meaning under one score, best first. Returns nothing if no
 *  guess is sure enough. */
export function joinTagsByMeaning(terms: OpenTerms, meaning: TermMeaning, input: TextToTag): TagByMeaning[] {
  const { byWords, spans, leastBest } = input;
  const tagsByConcept = new Map(byWords.map((tag) => [tag.concept, tag]));
  const result = findConceptsByMeaning(terms, meaning, input);
  if (result.length === 0) return [...byWords];
  const tags = result.map(({ concept, preferred, best, span }): TagByMeaning => {
    const tag = tagsByConcept.get(concept);
    const score = weighTagByMeaning({ preferred, best, words: tag?.score ?? 0 });
    return { concept, score, span: tag?.span ?? (spans ? span : null) };
  });
  const highest = Math.max(...tags.map(({ score }) => score));
  if (highest < leastBest) return [];
  const least = Math.max(MIN_GUESS, MIN_SHARE_OF_BEST * highest);
  for (const { concept } of result) tagsByConcept.delete(concept);
  // Trades and groups are not compared with sentences, so their score comes from words alone.
  const tagsByWords = Array.from(tagsByConcept.values(), (tag): TagByMeaning => {
    return { ...tag, score: weighTagByMeaning({ preferred: 0, best: 0, words: tag.score }) };
  });
  return [...tags.filter(({ score }) => score >= least), ...tagsByWords].sort(
    (a, b) => b.score - a.score || a.concept - b.concept,
  );
}

/** Finds the concepts with a label near to a sentence, and measures those found by words, each with
 *  the nearest part of the text. */
function findConceptsByMeaning(terms: OpenTerms, meaning: TermMeaning, input: TextToTag): ConceptByMeaning[] {
  const { byWords, text, lang, source } = input;
  const { encoder, scopeOf } = meaning;
  const scope = scopeOf({ lang, kinds: KINDS, isPreferred: true, ...(source >= 0 && { source }) });
  if (scope.rows.length === 0) return [];
  const best = new Map<number, ConceptByMeaning>();
  for (const sentence of listTextSentences(text).slice(0, MAX_SENTENCES)) {
    const vector = encoder.encode(sentence.text);
    const near = findNearConcepts(terms, meaning, scope, vector);
    for (const { concept } of byWords) near.add(concept);
    const candidates = listEncodedLabels(terms, meaning, near, lang);
    const words = readSentenceWords(encoder, sentence.text);
    const nearest = measureNearest(meaning, candidates, { vector, words });
    for (let at = 0; at < candidates.length; at++)
      recordNearest(terms, best, { label: candidates[at]!, nearest: nearest[at]!, sentence, words });
  }
  return [...best.values()];
}

function findNearConcepts(
  { labels }: OpenTerms,
  { rows }: TermMeaning,
  scope: LabelScope,
  vector: Float32Array,
): Set<number> {
  const nearest = findNearestRows(rows, vector, { max: NEAREST_NAMES, among: scope.rows });
  const concepts = new Set<number>();
  for (const row of nearest.rows)
    for (const label of Array.from(scope.labelsOf(row))) concepts.add(labels.conceptOf[label]!);
  return concepts;
}

function listEncodedLabels(
  terms: OpenTerms,
  { rowOf }: TermMeaning,
  candidates: Iterable<number>,
  lang: number,
): number[] {
  const { labels, concepts } = terms;
  const encoded: number[] = [];
  for (const concept of candidates) {
    if (!KINDS.includes(concepts.kindOf[concept]!)) continue;
    for (const label of listConceptLabels(terms, concept)) {
      if (labels.roleOf[label]! > labelRoles.alternative || labels.langOf[label] !== lang) continue;
      if (rowOf[label] !== NONE) encoded.push(label);
    }
  }
  return encoded;
}

interface NearestInSentence {
  readonly label: number;
  readonly nearest: Nearest;
  readonly sentence: TextSentence;
  readonly words: SentenceWords;
}

function recordNearest({ labels }: OpenTerms, best: Map<number, ConceptByMeaning>, result: NearestInSentence): void {
  const { label, nearest } = result;
  const concept = labels.conceptOf[label]!;
  const existing = best.get(concept) ?? { concept, preferred: UNKNOWN, best: UNKNOWN, span: [0, 0] as const };
  const isPreferred = labels.roleOf[label] === labelRoles.preferred;
  const isBest = nearest.nearness > existing.best;
  if (!isBest && !(isPreferred && nearest.nearness > existing.preferred)) return;
  best.set(concept, {
    concept,
    preferred: isPreferred ? Math.max(existing.preferred, nearest.nearness) : existing.preferred,
    best: isBest ? nearest.nearness : existing.best,
    span: isBest ? findMeaningSpan(result) : existing.span,
  });
}

function findMeaningSpan({ nearest: { stretch }, sentence, words }: NearestInSentence): readonly [number, number] {
  if (stretch === WHOLE) return [sentence.start, sentence.start + sentence.text.length];
  const { from, to } = words.stretches[stretch]!;
  return [sentence.start + words.spans[from]![0], sentence.start + words.spans[to - 1]![1]];
}

/** Measures the nearness of each label to the whole sentence and its stretches. */
function measureNearest(
  { rows, rowOf }: TermMeaning,
  candidates: readonly number[],
  { vector, words }: { readonly vector: Float32Array; readonly words: SentenceWords },
): Nearest[] {
  const count = candidates.length;
  const among = Uint32Array.from(candidates, (label) => rowOf[label]!);
  const products = measureCosines(rows, [vector, ...words.vectors], among);
  const sums = new Float64Array(words.vectors.length + 1);
  return candidates.map((_, at) => {
    for (let word = 0; word < words.vectors.length; word++)
      sums[word + 1] = sums[word]! + products[(word + 1) * count + at]!;
    let cosine = products[at]!;
    let stretch = WHOLE;
    for (let i = 0; i < words.stretches.length; i++) {
      const { from, to, length } = words.stretches[i]!;
      const stretchCosine = (sums[to]! - sums[from]!) / length;
      if (stretchCosine > cosine) [cosine, stretch] = [stretchCosine, i];
    }
    return { nearness: cosine, stretch };
  });
}

/** Some words in a row. */
interface Stretch {
  /** The range of its words, end exclusive. */
  readonly from: number;
  readonly to: number;
  /** The length of the sum of their vectors. */
  readonly length: number;
}

/** The words of a sentence. The vector of a stretch is the sum of those of its words, scaled to
 *  length 1, so its cosines follow from the products of its words, without a vector for each of
 *  a hundred stretches. */
interface SentenceWords {
  readonly vectors: readonly Float32Array[];
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly stretches: readonly Stretch[];
}

/** How many words the stretches have that are compared with labels. */
const STRETCH_LENGTHS: readonly number[] = [1, 2, 4, 7];
const MIN_LENGTH = 1e-6;

function readSentenceWords(encoder: TextEncoding, text: string): SentenceWords {
  const { dimensions } = encoder;
  const tokens = encoder.tokens(text);
  const vectors = Array.from({ length: tokens.spans.length / 2 }, (_, word) =>
    tokens.vectors.subarray(word * dimensions, (word + 1) * dimensions),
  );
  const spans = vectors.map((_, word) => [tokens.spans[2 * word]!, tokens.spans[2 * word + 1]!] as const);
  return { vectors, spans, stretches: listStretches(vectors, dimensions) };
}

function listStretches(vectors: readonly Float32Array[], dimensions: number): Stretch[] {
  return STRETCH_LENGTHS.flatMap((count) => {
    const sum = new Float64Array(dimensions);
    const result: Stretch[] = [];
    for (let to = 1; to <= vectors.length; to++) {
      const from = to - count;
      for (let k = 0; k < dimensions; k++) {
        sum[k]! += vectors[to - 1]![k]! - (from > 0 ? vectors[from - 1]![k]! : 0);
      }
      if (from < 0) continue;
      const length = Math.sqrt(sum.reduce((square, value) => square + value * value, 0));
      // A shorter sum comes from rounding.
      if (length > MIN_LENGTH) result.push({ from, to, length });
    }
    return result;
  });
}
