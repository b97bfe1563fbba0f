import type { OpenTerms } from './concept-view.ts';
import { createLabelEvidence, type LabelEvidence } from './label-evidence.ts';
import { type ParsedQuery, wordStages } from './query.ts';
import { NONE } from './term-data.ts';
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
  const { labels, concepts } = terms;
  const evidence = createLabelEvidence(terms);
  const best: BestLabels = {
    score: new Float32Array(concepts.sourceOf.length),
    label: new Uint32Array(concepts.sourceOf.length),
  };

  /** Concepts of the touched labels that reach the floor; each one's best label is noted. */
  function scoreTouched(
    touched: Uint32Array,
    query: WeighedQuery,
    accepts: ScoreOptions['accepts'],
  ): number[] {
    const seen: number[] = [];
    for (const label of touched) {
      if (evidence.found[label]! < LEAST_SHARE * query.mass[labels.langOf[label]!]!) continue;
      const concept = labels.conceptOf[label]!;
      if (!accepts(concept)) continue;
      const { score, stage } = scoreLabel(terms, evidence, { label, query });
      if (score < SIMILAR_FLOOR || score <= best.score[concept]!) continue;
      if (best.score[concept] === 0) seen.push(concept);
      best.score[concept] = score;
      best.label[concept] = label;
      evidence.stageOf[label] = stage;
    }
    return seen;
  }

  return (query: ParsedQuery, { accepts, limit }: ScoreOptions): ConceptMatch[] => {
    const touched = evidence.collect(query);
    const seen = scoreTouched(touched, weighQuery(terms, query), accepts);
    const matches = bestOf(terms, { seen, best, limit }).map(
      (concept): ConceptMatch => ({
        concept,
        label: best.label[concept]!,
        score: best.score[concept]!,
        match: matchStages[evidence.stageOf[best.label[concept]!]!]!,
      }),
    );
    evidence.wipe(touched);
    for (const concept of seen) best.score[concept] = 0;
    return matches.sort((a, b) => b.score - a.score || a.concept - b.concept);
  };
}

/** By concept; a score of 0 is none. */
interface BestLabels {
  readonly score: Float32Array;
  readonly label: Uint32Array;
}

interface WeighedQuery extends ParsedQuery {
  /** By language: what the words weigh together. */
  readonly mass: readonly number[];
  /** All its words are words of the labels of its own language. */
  readonly isUnderstood: boolean;
}

function weighQuery({ vocabulary, lexicon }: OpenTerms, query: ParsedQuery): WeighedQuery {
  const mass = vocabulary.langs.map((_, lang) =>
    query.slots.reduce((sum, { weightByLang }) => sum + weightByLang[lang]!, 0),
  );
  const own = lexicon.findLang(query.lang);
  const isUnderstood = own >= 0 && query.words.every((word) => lexicon.findTerm(word, own) !== NONE);
  return { ...query, mass, isUnderstood };
}

function scoreLabel(
  terms: OpenTerms,
  { found, covered, stageOf }: LabelEvidence,
  { label, query }: { readonly label: number; readonly query: WeighedQuery },
): { score: number; stage: number } {
  const { labels, vocabulary } = terms;
  const lang = labels.langOf[label]!;
  const isForeign = vocabulary.langs[lang] !== query.lang;
  if (isForeign && query.isUnderstood && isFalseFriend(terms, label, query)) return { score: 0, stage: 0 };
  const ofQuery = Math.min(1, found[label]! / query.mass[lang]!);
  const ofLabel = Math.min(1, covered[label]! / labels.mass[label]!);
  const factor = ROLE_FACTORS[labels.roleOf[label]!]! * (isForeign ? OTHER_LANGUAGE_FACTOR : 1);
  const isComplete = ofQuery >= COMPLETE && ofLabel >= COMPLETE && stageOf[label] === wordStages.stem;
  if (isComplete && hasWords(terms, label, query.words)) return { score: EXACT_SCORE * factor, stage: 0 };
  if (isComplete && hasTermsInOrder(terms, label, query)) return { score: STEM_SCORE * factor, stage: 1 };
  const harmonic = (2 * ofQuery * ofLabel) / (ofQuery + ofLabel);
  return { score: PARTIAL_SCORE * harmonic * factor, stage: Math.max(2, stageOf[label]!) };
}

/** A label of one word that has only the stem of a word of the query, in a language the query is not in: `data` is not the
 *  French `DATI`. */
function isFalseFriend({ labels, lexicon }: OpenTerms, label: number, { words }: ParsedQuery): boolean {
  if (labels.termStart[label + 1]! - labels.termStart[label]! > 1) return false;
  for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
    if (words.includes(lexicon.words[labels.words[at]!]!)) return false;
  }
  return true;
}

interface Scored {
  readonly seen: readonly number[];
  readonly best: BestLabels;
  readonly limit: number;
}

/** About `limit` concepts of the own taxonomy and of all: a large one beside the own could take all the places. */
function bestOf({ concepts, ownSource }: OpenTerms, { seen, best, limit }: Scored): number[] {
  const own = concepts.sources.indexOf(ownSource);
  const isOwn = (concept: number) => concepts.sourceOf[concept] === own;
  const floor = floorOfBest(seen, best.score, limit);
  const ownFloor = floorOfBest(seen.filter(isOwn), best.score, limit);
  return seen.filter((concept) => best.score[concept]! >= (isOwn(concept) ? ownFloor : floor));
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
