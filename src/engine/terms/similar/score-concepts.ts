import type { OpenTerms } from '../concept-view.ts';
import type { MatchStage } from '../types.ts';
import { openMeanings } from '../vectors/term-vectors.ts';
import {
  findMatchStage,
  hasMatchingTerms,
  hasMatchingWords,
  type ParsedQuery,
  type ReadQuery,
  readParsedQuery,
} from './parse-query.ts';
import {
  EXACT_SCORE,
  LABEL_FACTORS,
  MEANING_SHARE,
  MEANING_SHARE_OF_EXACT,
  OTHER_LANGUAGE_FACTOR,
  PARTIAL_SCORE,
  SIMILAR_FLOOR,
  STEM_SCORE,
  STRONG_SCORE,
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
  /** Only concepts for which this holds; beside them strong matches of any others, as their neighbours may be wanted. */
  readonly accepts: (concept: number) => boolean;
  /** Ordinal of the only taxonomy that they are of; of any when absent. */
  readonly source?: number;
  /** About how many are wanted, of the own taxonomy and of all together; a few more may come. */
  readonly limit: number;
}

const BUCKETS = 256;
/** Labels that share all stems are at least this similar; others are not checked for it. */
const MAYBE_SAME = 0.5;

/** With less than this no label reaches the floor: it skips most labels that share anything. */
const LEAST_COSINE = (SIMILAR_FLOOR / PARTIAL_SCORE) ** (2 / 3);

/** Concepts by their best label: the cosine of its n-grams and the query's, and more for the same words or stems. */
export function createConceptScorer(terms: OpenTerms) {
  const { labels, concepts, grams } = terms;
  const meanings = openMeanings(terms);
  const evidence = createLabelEvidence(terms);
  const best: BestLabels = {
    score: new Float32Array(concepts.sourceOf.length),
    label: new Uint32Array(concepts.sourceOf.length),
  };

  /** Concepts of the touched labels that reach the floor; each one's best label is noted. */
  function scoreTouched(touched: Uint32Array, query: ReadQuery, accepts: ScoreOptions['accepts']): number[] {
    const seen: number[] = [];
    const factors = factorsByLang(terms, query);
    for (const label of touched) {
      const lang = labels.langOf[label]!;
      const cosine = evidence.product[label]! / (query.lengthByLang[lang]! * grams.labelLength[label]!);
      if (cosine < LEAST_COSINE) continue;
      const factor = factors[lang]! * LABEL_FACTORS[labels.roleOf[label]!]!;
      const concept = labels.conceptOf[label]!;
      // No label gets more than 1 for its words or stems, so most are passed over here.
      const most = cosine < MAYBE_SAME ? partialScore(cosine) * factor : factor;
      if (most < SIMILAR_FLOOR || most <= best.score[concept]!) continue;
      if (most < STRONG_SCORE && !accepts(concept)) continue;
      const score = scoreLabel(terms, query, { label, cosine }) * factor;
      if (score < SIMILAR_FLOOR || score <= best.score[concept]!) continue;
      if (score < STRONG_SCORE && !accepts(concept)) continue;
      if (best.score[concept] === 0) seen.push(concept);
      best.score[concept] = score;
      best.label[concept] = label;
    }
    return seen;
  }

  return (query: ParsedQuery, { accepts, limit }: ScoreOptions): ConceptMatch[] => {
    const read = readParsedQuery(terms, query);
    const touched = evidence.collect(query);
    const seen = scoreTouched(touched, read, accepts);
    const direction = meanings.directionOf(read);
    const matches = bestOf(terms, { seen, best, limit }).map((concept): ConceptMatch => {
      const label = best.label[concept]!;
      const match = findMatchStage(terms, label, read);
      const score = best.score[concept]!;
      if (direction === null || score === EXACT_SCORE) return { concept, label, score, match };
      const nearness = Math.max(0, meanings.nearness(direction, concept));
      const share = match === 'exact' ? MEANING_SHARE_OF_EXACT : MEANING_SHARE;
      return { concept, label, score: score * (1 - share) + nearness * share, match };
    });
    evidence.wipe(touched);
    for (const concept of seen) best.score[concept] = 0;
    return matches;
  };
}

/** By concept; a score of 0 is none. */
interface BestLabels {
  readonly score: Float32Array;
  readonly label: Uint32Array;
}

function factorsByLang({ vocabulary }: OpenTerms, { lang }: ParsedQuery): number[] {
  return vocabulary.langs.map((code) => (code === lang ? 1 : OTHER_LANGUAGE_FACTOR));
}

function scoreLabel(
  terms: OpenTerms,
  query: ReadQuery,
  { label, cosine }: { readonly label: number; readonly cosine: number },
): number {
  if (query.isUnderstood && isFalseFriend(terms, label, query)) return 0;
  const partial = partialScore(Math.min(1, cosine));
  if (cosine < MAYBE_SAME) return partial;
  if (hasMatchingWords(terms, label, query.words)) return EXACT_SCORE;
  return hasMatchingTerms(terms, label, query) ? Math.max(STEM_SCORE, partial) : partial;
}

/** Half a likeness is worth a third: a label that shares one of two words mostly means something else. */
function partialScore(cosine: number): number {
  return PARTIAL_SCORE * cosine * Math.sqrt(cosine);
}

/** A label of one word that has no word of the query, in a language the query is not in: `data` is not the French `DATI`. */
function isFalseFriend({ labels, lexicon, vocabulary }: OpenTerms, label: number, query: ReadQuery): boolean {
  if (vocabulary.langs[labels.langOf[label]!] === query.lang) return false;
  if (labels.termStart[label + 1]! - labels.termStart[label]! > 1) return false;
  for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
    if (query.words.includes(lexicon.words[labels.words[at]!]!)) return false;
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

/** What a query has in common with each label. One for all calls: each touches few labels and wipes only those. The array is
 *  exposed because the scorer reads it for thousands of labels. */
interface LabelEvidence {
  /** By label: product of its vector of n-grams with the query's, over the pairs of words that are alike. */
  readonly product: Float32Array;
  /** Multiply a query with the labels; returns those that share anything with it. */
  collect(query: ParsedQuery): Uint32Array;
  wipe(touched: Uint32Array): void;
}

function createLabelEvidence({ labels, grams }: OpenTerms): LabelEvidence {
  const labelCount = labels.conceptOf.length;
  const product = new Float32Array(labelCount);
  const touchedLabels = new Uint32Array(labelCount);
  const { start, labels: labelsOfWord } = grams.wordLabels;

  return {
    product,
    collect({ slots }) {
      let count = 0;
      for (const { near, isIgnoredIn } of slots) {
        const isIgnoredAnywhere = isIgnoredIn.includes(true);
        for (const { word, product: worth } of near) {
          const end = start[word + 1]!;
          for (let at = start[word]!; at < end; at++) {
            const label = labelsOfWord[at]!;
            if (isIgnoredAnywhere && isIgnoredIn[labels.langOf[label]!]) continue;
            if (product[label] === 0) touchedLabels[count++] = label;
            product[label]! += worth;
          }
        }
      }
      return touchedLabels.subarray(0, count);
    },
    wipe(touched) {
      for (const label of touched) product[label] = 0;
    },
  };
}
