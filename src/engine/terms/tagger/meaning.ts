import { findNearestRows, measureCosines } from '#engine/vectors/scan';
import type { TextEncoding } from '#engine/vectors/vectors';
import { listConceptLabels, type OpenTerms } from '../concept-view.ts';
import type { LabelScope, TermMeaning } from '../label-meaning.ts';
import { labelRoles, NONE } from '../term-data.ts';
import { conceptKinds, type TextSentence } from '../types.ts';
import { listSentences } from './read-text.ts';

/** Sentences of a text that are compared with labels, about 2 ms each: the rest of a long one goes
 *  by words. */
const MAX_SENTENCES = 12;
/** Preferred labels nearest to a whole sentence: those of their concepts are compared with its
 *  stretches. Measured: 500 of all labels find nothing more, and 100 lose. */
const NEAREST_NAMES = 200;
/** What a text is tagged for: what one can learn. Trades and groups come by words alone. */
const KINDS = (['skill', 'topic'] as const).map((kind) => conceptKinds.indexOf(kind));

/** A concept that a text is near to in meaning. */
interface MeantConcept {
  readonly concept: number;
  /** How near the preferred label is to what of a sentence is nearest to it: 1 for the same, 0 for
   *  what has nothing to do with it, less where it has no vector. */
  readonly preferred: number;
  /** The same of whichever label is nearest. */
  readonly best: number;
  /** Where that is: half-open, in UTF-16 units of the text. */
  readonly span: readonly [start: number, end: number];
}

interface MeantText {
  readonly text: string;
  /** Ordinals. */
  readonly lang: number;
  readonly source: number | undefined;
  /** Concepts that are looked at in any case: those found by words. */
  readonly named: readonly number[];
}

/** What of a sentence comes nearest to a label. */
interface Nearest {
  readonly nearness: number;
  readonly stretch: number;
}

/** Nearness of what has no vector. */
const UNKNOWN = Number.NEGATIVE_INFINITY;
/** Stands for the whole sentence. */
const WHOLE = -1;

/** Finds concepts by what a text means: those with a label among the nearest to one of its
 *  sentences, and those that its words have found, each with the stretch of words that is nearest
 *  to it. */
export function createMeantFinder(terms: OpenTerms, meaning: TermMeaning) {
  const { labels, concepts } = terms;
  const { rows, rowOf, encoder, scopeOf } = meaning;

  /** The labels of concepts that have vectors, in one language. */
  function listLabels(candidates: Iterable<number>, lang: number): number[] {
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

  function findNear(scope: LabelScope, vector: Float32Array): Set<number> {
    const [nearest] = findNearestRows(rows, [vector], { max: NEAREST_NAMES, among: scope.rows });
    const concepts = new Set<number>();
    for (const row of nearest?.rows ?? [])
      for (const label of Array.from(scope.labelsOf(row))) concepts.add(labels.conceptOf[label]!);
    return concepts;
  }

  return ({ text, lang, source, named }: MeantText): MeantConcept[] => {
    const scope = scopeOf({
      lang,
      kinds: KINDS,
      isPreferred: true,
      ...(source !== undefined && { source }),
    });
    if (scope.rows.length === 0) return [];
    const best = new Map<number, MeantConcept>();
    for (const sentence of listSentences(text).slice(0, MAX_SENTENCES)) {
      const vector = encoder.encode(sentence.text);
      const near = findNear(scope, vector);
      for (const concept of named) near.add(concept);
      const candidates = listLabels(near, lang);
      const words = readSentenceWords(encoder, sentence.text);
      const nearest = measureNearest(meaning, candidates, { vector, words });
      for (let at = 0; at < candidates.length; at++)
        note(best, { label: candidates[at]!, nearest: nearest[at]!, sentence, words });
    }
    return [...best.values()];
  };

  function note(
    best: Map<number, MeantConcept>,
    result: { label: number; nearest: Nearest; sentence: TextSentence; words: SentenceWords },
  ): void {
    const { label, nearest } = result;
    const concept = labels.conceptOf[label]!;
    const before = best.get(concept) ?? { concept, preferred: UNKNOWN, best: UNKNOWN, span: [0, 0] as const };
    const isPreferred = labels.roleOf[label] === labelRoles.preferred;
    const isBest = nearest.nearness > before.best;
    if (!isBest && !(isPreferred && nearest.nearness > before.preferred)) return;
    best.set(concept, {
      concept,
      preferred: isPreferred ? Math.max(before.preferred, nearest.nearness) : before.preferred,
      best: isBest ? nearest.nearness : before.best,
      span: isBest ? spanOf(result) : before.span,
    });
  }
}

function spanOf({
  nearest: { stretch },
  sentence,
  words,
}: {
  readonly nearest: Nearest;
  readonly sentence: TextSentence;
  readonly words: SentenceWords;
}): readonly [number, number] {
  if (stretch === WHOLE) return [sentence.start, sentence.start + sentence.text.length];
  const { from, to } = words.stretches[stretch]!;
  return [sentence.start + words.spans[from]![0], sentence.start + words.spans[to - 1]![1]];
}

/** How near the whole sentence or a stretch of it comes to each label. */
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
      const mean = (sums[to]! - sums[from]!) / length;
      if (mean > cosine) [cosine, stretch] = [mean, i];
    }
    return { nearness: cosine, stretch };
  });
}

/** Some words of a sentence, one after the other. */
interface Stretch {
  /** Words, half-open. */
  readonly from: number;
  readonly to: number;
  /** Length of the sum of its words' vectors. */
  readonly length: number;
}

/** Vectors of the words of a sentence. That of a stretch is their sum, made of length 1: so what is
 *  near to a stretch comes out of sums of what is near to its words, without a vector for each of a
 *  hundred stretches. */
interface SentenceWords {
  readonly vectors: readonly Float32Array[];
  /** By word: where it stands in the sentence, half-open, in UTF-16 units. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly stretches: readonly Stretch[];
}

/** Words that a label is compared with at once. */
const STRETCH_LENGTHS: readonly number[] = [1, 2, 4, 7];
const LEAST_LENGTH = 1e-6;

function readSentenceWords(encoder: TextEncoding, text: string): SentenceWords {
  const { dimensions } = encoder;
  const { vectors: all, spans } = encoder.tokens(text);
  const vectors = Array.from({ length: spans.length / 2 }, (_, word) =>
    all.subarray(word * dimensions, (word + 1) * dimensions),
  );
  const places = vectors.map((_, word) => [spans[2 * word]!, spans[2 * word + 1]!] as const);
  return { vectors, spans: places, stretches: listStretches(vectors, dimensions) };
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
      // What is less comes from rounding.
      if (length > LEAST_LENGTH) result.push({ from, to, length });
    }
    return result;
  });
}
