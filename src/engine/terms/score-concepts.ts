import type { OpenTerms } from './concept-view.ts';
import { type ParsedQuery, wordStages } from './query.ts';
import type { MatchStage } from './types.ts';
import { matchStages } from './types.ts';
import {
  EXACT_SCORE,
  OTHER_LANGUAGE_FACTOR,
  PARTIAL_SCORE,
  ROLE_FACTORS,
  SIMILAR_FLOOR,
  STEM_SCORE,
} from './weights.ts';

export interface ConceptMatch {
  readonly concept: number;
  /** The label that matched best; for a related concept the one it is shown by. */
  readonly label: number;
  /** 0 to 1. */
  readonly score: number;
  readonly match: MatchStage;
}

export interface ScoreOptions {
  /** Only concepts for which this holds. */
  readonly accepts: (concept: number) => boolean;
  /** About how many are wanted, of the own taxonomy and of all together; a few more may come. */
  readonly limit: number;
}

const BUCKETS = 256;
/** Rounding of sums of 32-bit floats. */
const COMPLETE = 0.9995;
/** A harmonic mean is less than twice its smaller part: with less of the query found no label reaches the floor. */
const LEAST_SHARE = SIMILAR_FLOOR / PARTIAL_SCORE / 2;

/** Concepts by their best label. A label's score is the harmonic mean of two shares of idf mass: of the query found in
 *  the label, and of the label found in the query. */
export function createConceptScorer(terms: OpenTerms) {
  const { labels, vocabulary, postings, concepts } = terms;
  const labelCount = labels.conceptOf.length;
  // Scratch, clean between calls: a call touches few of the labels and wipes only those.
  const found = new Float32Array(labelCount);
  const covered = new Float32Array(labelCount);
  const stageOf = new Uint8Array(labelCount);
  const slotOf = new Uint16Array(labelCount);
  const touchedLabels = new Uint32Array(labelCount);
  const bestScore = new Float32Array(concepts.sourceOf.length);
  const bestLabel = new Uint32Array(concepts.sourceOf.length);

  const own = concepts.sources.indexOf(terms.ownSource);
  // A large taxonomy beside the own one could take all the places.
  const isOwn = (concept: number) => concepts.sourceOf[concept] === own;

  /** Term at a time: each slot adds to a label once, by its best match. */
  function touchLabels({ slots }: ParsedQuery): Uint32Array {
    let count = 0;
    for (const [i, { matches, weightByLang }] of slots.entries()) {
      for (const { term, weight, stage } of matches) {
        const inQuery = weightByLang[vocabulary.termLang[term]!]! * weight;
        if (inQuery === 0) continue;
        const inLabel = vocabulary.idf[term]! * weight;
        const end = postings.start[term + 1]!;
        for (let at = postings.start[term]!; at < end; at++) {
          const label = postings.labels[at]!;
          if (slotOf[label] === i + 1) continue;
          if (slotOf[label] === 0) touchedLabels[count++] = label;
          slotOf[label] = i + 1;
          found[label]! += inQuery;
          covered[label]! += inLabel;
          if (stageOf[label]! < stage) stageOf[label] = stage;
        }
      }
    }
    return touchedLabels.subarray(0, count);
  }

  function scoreLabel(
    label: number,
    query: ParsedQuery,
    queryMass: readonly number[],
  ): { score: number; stage: number } {
    const lang = labels.langOf[label]!;
    const ofQuery = Math.min(1, found[label]! / queryMass[lang]!);
    const ofLabel = Math.min(1, covered[label]! / labels.mass[label]!);
    const factor =
      ROLE_FACTORS[labels.roleOf[label]!]! *
      (vocabulary.langs[lang] === query.lang ? 1 : OTHER_LANGUAGE_FACTOR);
    const isComplete = ofQuery >= COMPLETE && ofLabel >= COMPLETE && stageOf[label] === wordStages.stem;
    if (isComplete && hasWords(terms, label, query.words)) return { score: EXACT_SCORE * factor, stage: 0 };
    if (isComplete && hasTermsInOrder(terms, label, query)) return { score: STEM_SCORE * factor, stage: 1 };
    const harmonic = (2 * ofQuery * ofLabel) / (ofQuery + ofLabel);
    return { score: PARTIAL_SCORE * harmonic * factor, stage: Math.max(2, stageOf[label]!) };
  }

  /** Concepts of the touched labels that reach the floor; each one's best label is noted. */
  function scoreTouched(
    touched: Uint32Array,
    query: ParsedQuery,
    accepts: ScoreOptions['accepts'],
  ): number[] {
    const queryMass = vocabulary.langs.map((_, lang) =>
      query.slots.reduce((mass, { weightByLang }) => mass + weightByLang[lang]!, 0),
    );
    const seen: number[] = [];
    for (const label of touched) {
      if (found[label]! < LEAST_SHARE * queryMass[labels.langOf[label]!]!) continue;
      const concept = labels.conceptOf[label]!;
      if (!accepts(concept)) continue;
      const { score, stage } = scoreLabel(label, query, queryMass);
      if (score < SIMILAR_FLOOR || score <= bestScore[concept]!) continue;
      if (bestScore[concept] === 0) seen.push(concept);
      bestScore[concept] = score;
      bestLabel[concept] = label;
      stageOf[label] = stage;
    }
    return seen;
  }

  function bestOf(seen: readonly number[], limit: number): ConceptMatch[] {
    const floor = floorOfBest(seen, bestScore, limit);
    const ownFloor = floorOfBest(seen.filter(isOwn), bestScore, limit);
    return seen
      .filter((concept) => bestScore[concept]! >= (isOwn(concept) ? ownFloor : floor))
      .map((concept) => {
        const label = bestLabel[concept]!;
        return { concept, label, score: bestScore[concept]!, match: matchStages[stageOf[label]!]! };
      })
      .sort((a, b) => b.score - a.score || a.concept - b.concept);
  }

  function wipe(touched: Uint32Array, seen: readonly number[]): void {
    for (const label of touched) {
      found[label] = 0;
      covered[label] = 0;
      stageOf[label] = 0;
      slotOf[label] = 0;
    }
    for (const concept of seen) bestScore[concept] = 0;
  }

  return (query: ParsedQuery, { accepts, limit }: ScoreOptions): ConceptMatch[] => {
    const touched = touchLabels(query);
    const seen = scoreTouched(touched, query, accepts);
    const matches = bestOf(seen, limit);
    wipe(touched, seen);
    return matches;
  };
}

/** A score that about `limit` of the concepts reach: a histogram instead of sorting thousands to keep a hundred. */
function floorOfBest(concepts: readonly number[], score: Float32Array, limit: number): number {
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

function hasWords({ labels, lexicon }: OpenTerms, label: number, words: readonly string[]): boolean {
  const start = labels.wordStart[label]!;
  if (labels.wordStart[label + 1]! - start !== words.length) return false;
  return words.every((word, i) => lexicon.words[labels.words[start + i]!] === word);
}

/** Whether the label's terms come in the order of the query's words, function words aside. */
function hasTermsInOrder(
  { labels, lexicon }: OpenTerms,
  label: number,
  { words, slots }: ParsedQuery,
): boolean {
  const lang = labels.langOf[label]!;
  const weightOf = new Map(slots.map(({ word, weightByLang }) => [word, weightByLang[lang]!]));
  let at = labels.termStart[label]!;
  const end = labels.termStart[label + 1]!;
  for (const word of words) {
    if (weightOf.get(word) === 0) continue;
    if (at >= end || lexicon.findTerm(word, lang) !== labels.terms[at]) return false;
    at++;
  }
  return at === end;
}
