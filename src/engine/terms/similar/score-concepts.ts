import type { OpenTerms } from '../concept-view.ts';
import type { MatchStage } from '../types.ts';
import { openTermVectors } from '../vectors/term-vectors.ts';
import type { ParsedQuery, ResolvedQuery } from './parse-query.ts';
import { findMatchStage, hasMatchingTerms, hasMatchingWords, resolveQuery } from './parse-query.ts';
import * as weights from './weights.ts';

export interface ConceptMatch {
  readonly concept: number;
  /** The label that matched best; for a related concept the one it is shown by. */
  readonly label: number;
  /** 0 to 1. */
  readonly score: number;
  readonly match: MatchStage;
}

export interface ScoreOptions {
  /** Strong matches of other concepts are returned, too, as their neighbours may be accepted. */
  readonly accepts: (concept: number) => boolean;
  /** Ordinal of the only accepted taxonomy; any if absent. */
  readonly source?: number;
  /** The approximate number to return, of the main taxonomy and of all; a few more are possible. */
  readonly limit: number;
}

const BUCKETS = 256;
/** Labels with the same stems as the query have at least this cosine. */
const MIN_EXACT_COSINE = 0.5;

/** With a lower cosine, no label reaches SIMILAR_FLOOR. */
const MIN_COSINE = (weights.SIMILAR_FLOOR / weights.PARTIAL_SCORE) ** (2 / 3);

/** Creates a function that scores concepts by their best label, by the cosine of n-grams, which is
 *  raised for equal stems, and by term vectors. */
export function createConceptScorer(terms: OpenTerms) {
  const { labels, concepts, grams } = terms;
  const vectors = openTermVectors(terms);
  const products: LabelProducts = {
    product: new Float32Array(labels.conceptOf.length),
    touched: new Uint32Array(labels.conceptOf.length),
  };
  const best: BestLabels = {
    score: new Float32Array(concepts.sourceOf.length),
    label: new Uint32Array(concepts.sourceOf.length),
  };

  /** The concepts of the touched labels that reach the floor; `best` receives their best labels. */
  function scoreTouched(touched: Uint32Array, query: ResolvedQuery, accepts: ScoreOptions['accepts']): number[] {
    const scored: number[] = [];
    const factors = terms.vocabulary.langs.map((code) => (code === query.lang ? 1 : weights.OTHER_LANGUAGE_FACTOR));
    for (const label of touched) {
      const lang = labels.langOf[label]!;
      const cosine = products.product[label]! / (query.lengthByLang[lang]! * grams.labelLength[label]!);
      if (cosine < MIN_COSINE) continue;
      const factor = factors[lang]! * weights.LABEL_FACTORS[labels.roleOf[label]!]!;
      const concept = labels.conceptOf[label]!;
      // Upper bound of the score, which rejects most labels.
      const most = cosine < MIN_EXACT_COSINE ? partialScore(cosine) * factor : factor;
      if (most < weights.SIMILAR_FLOOR || most <= best.score[concept]!) continue;
      if (most < weights.STRONG_SCORE && !accepts(concept)) continue;
      const score = scoreConceptLabel(terms, query, { label, cosine }) * factor;
      if (score < weights.SIMILAR_FLOOR || score <= best.score[concept]!) continue;
      if (score < weights.STRONG_SCORE && !accepts(concept)) continue;
      if (best.score[concept] === 0) scored.push(concept);
      best.score[concept] = score;
      best.label[concept] = label;
    }
    return scored;
  }

  return (query: ParsedQuery, { accepts, limit }: ScoreOptions): ConceptMatch[] => {
    const resolvedQuery = resolveQuery(terms, query);
    const touched = multiplyLabels(terms, products, query);
    const scored = scoreTouched(touched, resolvedQuery, accepts);
    const vector = vectors.vectorOf(resolvedQuery);
    const matches = selectBestConcepts(terms, scored, { best, limit }).map((concept): ConceptMatch => {
      const label = best.label[concept]!;
      const match = findMatchStage(terms, label, resolvedQuery);
      const score = best.score[concept]!;
      if (vector === null || score === weights.EXACT_SCORE) return { concept, label, score, match };
      const nearness = Math.max(0, vectors.nearness(vector, concept));
      const share = match === 'exact' ? weights.MEANING_SHARE_OF_EXACT : weights.MEANING_SHARE;
      return { concept, label, score: score * (1 - share) + nearness * share, match };
    });
    for (const label of touched) products.product[label] = 0;
    for (const concept of scored) best.score[concept] = 0;
    return matches;
  };
}

/** By concept: the score and the ordinal of its best label; scores are 0 between searches. */
type BestLabels = { readonly score: Float32Array; readonly label: Uint32Array };

function scoreConceptLabel(
  terms: OpenTerms,
  query: ResolvedQuery,
  { label, cosine }: { readonly label: number; readonly cosine: number },
): number {
  if (query.isUnderstood && isFalseFriend(terms, label, query)) return 0;
  const partial = partialScore(Math.min(1, cosine));
  if (cosine < MIN_EXACT_COSINE) return partial;
  if (hasMatchingWords(terms, label, query.words)) return weights.EXACT_SCORE;
  return hasMatchingTerms(terms, label, query) ? Math.max(weights.STEM_SCORE, partial) : partial;
}

/** The score falls faster than the cosine, as a label with one of two words mostly differs. */
const partialScore = (cosine: number): number => weights.PARTIAL_SCORE * cosine * Math.sqrt(cosine);

/** Tells whether a label of one word only resembles one of the query: `data` is not `DATI`. */
function isFalseFriend({ labels, lexicon, vocabulary }: OpenTerms, label: number, query: ResolvedQuery): boolean {
  if (vocabulary.langs[labels.langOf[label]!] === query.lang) return false;
  if (labels.termStart[label + 1]! - labels.termStart[label]! > 1) return false;
  for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
    if (query.words.includes(lexicon.words[labels.words[at]!]!)) return false;
  }
  return true;
}

/** Selects about `limit` concepts of the main taxonomy and as many of all taxonomies, so that a
 *  large one does not take all places. */
function selectBestConcepts(
  { concepts, mainSource }: OpenTerms,
  scored: readonly number[],
  { best, limit }: { readonly best: BestLabels; readonly limit: number },
): number[] {
  const main = concepts.sources.indexOf(mainSource);
  const isMain = (concept: number) => concepts.sourceOf[concept] === main;
  const floor = findScoreFloor(scored, best.score, limit);
  const mainFloor = findScoreFloor(scored.filter(isMain), best.score, limit);
  return scored.filter((concept) => best.score[concept]! >= (isMain(concept) ? mainFloor : floor));
}

/** Finds a score that about `limit` concepts reach, by a histogram, as sorting is slower. */
function findScoreFloor(concepts: readonly number[], score: Float32Array, limit: number): number {
  if (concepts.length <= limit) return 0;
  const counts = new Uint32Array(BUCKETS);
  for (const concept of concepts) counts[Math.min(BUCKETS - 1, Math.floor(score[concept]! * BUCKETS))]!++;
  let count = 0;
  for (let bucket = BUCKETS - 1; bucket > 0; bucket--) {
    count += counts[bucket]!;
    if (count >= limit) return bucket / BUCKETS;
  }
  return 0;
}

interface LabelProducts {
  /** By label: its product with the query; 0 between searches. */
  readonly product: Float32Array;
  /** Labels with a product; only the entries that the current search wrote are valid. */
  readonly touched: Uint32Array;
}

/** @returns the labels with a product, which must be reset to 0 */
function multiplyLabels(
  { labels, grams }: OpenTerms,
  { product, touched }: LabelProducts,
  { slots }: ParsedQuery,
): Uint32Array {
  const { start, labels: labelsOfWord } = grams.wordLabels;
  let count = 0;
  for (const { near, isIgnoredIn } of slots) {
    const isIgnoredAnywhere = isIgnoredIn.includes(true);
    for (const { word, product: worth } of near) {
      const end = start[word + 1]!;
      for (let at = start[word]!; at < end; at++) {
        const label = labelsOfWord[at]!;
        if (isIgnoredAnywhere && isIgnoredIn[labels.langOf[label]!]) continue;
        if (product[label] === 0) touched[count++] = label;
        product[label]! += worth;
      }
    }
  }
  return touched.subarray(0, count);
}
