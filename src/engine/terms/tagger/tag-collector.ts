import type { OpenTerms } from '../concept-view.ts';
import type { TagCandidate } from './rank-tags.ts';
import {
  allTagWays,
  COMPANION_FLOOR,
  GUESS_FLOOR,
  ROLE_FACTORS,
  SURE_CONFIDENCE,
  TAG_FLOOR,
  type TagWays,
  toTagConfidence,
  toTagStrength,
  weighTagRepetition,
} from './tag-weights.ts';

const LEAST_STRENGTH = toTagStrength(COMPANION_FLOOR);
const LEAST_CREDIBLE = toTagStrength(TAG_FLOOR);
const NOWHERE = 0xffffffff;

export interface Found {
  readonly label: number;
  readonly concept: number;
  /** One of `labelRoles`. */
  readonly role: number;
  /** By the words alone. */
  readonly strength: number;
  /** The share of the strength that is left for another reason; 1 for all of it. */
  readonly factor: number;
  /** The whole label stands there. */
  readonly whole: boolean;
  /** The window has one word of it only. */
  readonly isOneWord: boolean;
}

export type AddFound = (found: Found) => void;

interface TextToCollect {
  /** Ordinal of the only taxonomy wanted, or -1. */
  readonly source: number;
  /** Candidates that are of use. */
  readonly limit: number;
  readonly windowCount: number;
}

/** Keeps the strongest label of each concept that a text names. Made once for all calls: `start` begins a new text. */
export function createTagCollector({ concepts }: OpenTerms, ways: TagWays = allTagWays) {
  const count = concepts.sourceOf.length;
  const strength = new Float32Array(count);
  const factor = new Float32Array(count);
  const label = new Uint32Array(count);
  const window = new Uint32Array(count);
  const whole = new Uint8Array(count);
  const oneWord = new Uint8Array(count);
  const repeats = new Uint16Array(count);
  const repeatedIn = new Uint32Array(count);
  const strongest = createStrengthFloor();
  let seen: number[] = [];
  let wantedSource = -1;
  let limit = 0;
  let mostRepetition = 1;

  return {
    start(text: TextToCollect) {
      for (const concept of seen) {
        strength[concept] = 0;
        repeats[concept] = 0;
      }
      seen = [];
      wantedSource = text.source;
      limit = text.limit;
      mostRepetition = weighTagRepetition(text.windowCount);
      strongest.start(limit);
    },
    /** Anything weaker can no longer be among the strongest, however often it is repeated. */
    floor: () => strongest.floor() / mostRepetition,
    add(found: Found, inWindow: number) {
      const { concept } = found;
      const before = strength[concept]!;
      const ownFactor = found.factor * ROLE_FACTORS[found.role]!;
      const weighted = found.strength * ownFactor;
      // Most labels are of a concept that a better one has brought already.
      if (!found.whole && weighted <= before) return;
      if (wantedSource >= 0 && concepts.sourceOf[concept] !== wantedSource) return;
      if (before === 0) {
        seen.push(concept);
        repeatedIn[concept] = NOWHERE;
      }
      if (found.whole && repeatedIn[concept] !== inWindow) {
        repeats[concept]!++;
        repeatedIn[concept] = inWindow;
      }
      if (weighted <= before) return;
      if ((found.whole || !found.isOneWord) && weighted >= LEAST_CREDIBLE) strongest.raise(before, weighted);
      strength[concept] = weighted;
      factor[concept] = ownFactor;
      label[concept] = found.label;
      window[concept] = inWindow;
      whole[concept] = found.whole ? 1 : 0;
      oneWord[concept] = found.isOneWord ? 1 : 0;
    },
    /** The strongest, best first. */
    best(): TagCandidate[] {
      const least = Math.max(LEAST_STRENGTH, strongest.floor());
      const candidates = seen.filter((concept) => repeatedStrength(concept) >= least).map(candidateOf);
      const sureWindows = new Set(candidates.filter(isSure).map((candidate) => candidate.window));
      return candidates
        .filter((candidate) => isCredible(candidate, sureWindows))
        .sort((a, b) => b.strength - a.strength || a.concept - b.concept)
        .slice(0, limit);
    },
  };

  function repeatedStrength(concept: number): number {
    return strength[concept]! * weighTagRepetition(repeats[concept]!);
  }

  function candidateOf(concept: number): TagCandidate {
    const repetition = weighTagRepetition(repeats[concept]!);
    return {
      concept,
      label: label[concept]!,
      window: window[concept]!,
      whole: whole[concept] === 1,
      isOneWord: oneWord[concept] === 1,
      strength: strength[concept]! * repetition,
      factor: factor[concept]! * repetition,
    };
  }

  /** One word of a longer label is a guess: idle talk is full of such words. It counts beside something surer only, and so
   *  does anything weak. */
  function isCredible(candidate: TagCandidate, sureWindows: ReadonlySet<number>): boolean {
    const confidence = toTagConfidence(candidate.strength);
    if (!isGuess(candidate) && confidence >= TAG_FLOOR) return true;
    if (!sureWindows.has(candidate.window)) return false;
    return ways.companions ? confidence >= COMPANION_FLOOR : isGuess(candidate) && confidence >= GUESS_FLOOR;
  }
}

function isGuess({ whole, isOneWord }: TagCandidate): boolean {
  return isOneWord && !whole;
}

function isSure(candidate: TagCandidate): boolean {
  return !isGuess(candidate) && toTagConfidence(candidate.strength) >= SURE_CONFIDENCE;
}

/** Strengths are told apart by steps of this. */
const STEPS_PER_UNIT = 64;
const STEPS = 1024;

/** The strength that at least so many have reached: what is below it is not among them. Made once for all calls. */
export function createStrengthFloor() {
  /** How many are at each step now. */
  const counts = new Uint32Array(STEPS);
  let limit = 0;
  let floorStep = 0;
  let above = 0;

  return {
    /** @param wanted how many are of use */
    start(wanted: number) {
      counts.fill(0);
      limit = wanted;
      floorStep = 0;
      above = 0;
    },
    /** Moves one from its strength (0 when new) to a higher one. */
    raise(from: number, to: number) {
      const fromStep = stepOf(from);
      const toStep = stepOf(to);
      if (counts[fromStep]! > 0 && fromStep > 0) {
        counts[fromStep]!--;
        if (fromStep > floorStep) above--;
      }
      counts[toStep]!++;
      if (toStep > floorStep) above++;
      while (above - counts[floorStep + 1]! >= limit) above -= counts[++floorStep]!;
    },
    floor: () => (floorStep === 0 ? 0 : (floorStep + 1) / STEPS_PER_UNIT),
  };
}

function stepOf(strength: number): number {
  return Math.min(STEPS - 2, Math.floor(strength * STEPS_PER_UNIT));
}
