import type { OpenTerms } from './concept-view.ts';
import type { TagCandidate } from './prune-tags.ts';
import { confidenceOf, GUESS_FLOOR, ROLE_FACTORS, SURE_CONFIDENCE, TAG_FLOOR } from './weights.ts';

/** How much each further window that has the whole label adds. */
const REPETITION_GAIN = 0.1;

export interface Found {
  readonly label: number;
  readonly strength: number;
  /** The whole label stands there. */
  readonly whole: boolean;
  /** The window has one word of it only. */
  readonly isOneWord: boolean;
}

export type AddFound = (found: Found) => void;

/** Keeps the strongest label of each concept that a text names. One for all calls: `start` begins a new text. */
export function createTagCollector({ labels, concepts }: OpenTerms) {
  const count = concepts.sourceOf.length;
  const strength = new Float32Array(count);
  const label = new Uint32Array(count);
  const window = new Uint32Array(count);
  const whole = new Uint8Array(count);
  const oneWord = new Uint8Array(count);
  const repeats = new Uint16Array(count);
  let seen: number[] = [];
  let wantedSource = -1;

  return {
    /** @param source Ordinal of the only taxonomy wanted, or -1. */
    start(source: number) {
      for (const concept of seen) {
        strength[concept] = 0;
        repeats[concept] = 0;
      }
      seen = [];
      wantedSource = source;
    },
    add(found: Found, inWindow: number) {
      const concept = labels.conceptOf[found.label]!;
      if (wantedSource >= 0 && concepts.sourceOf[concept] !== wantedSource) return;
      const weighted = found.strength * ROLE_FACTORS[labels.roleOf[found.label]!]!;
      if (strength[concept] === 0) seen.push(concept);
      if (found.whole && (repeats[concept] === 0 || window[concept] !== inWindow)) repeats[concept]!++;
      if (weighted <= strength[concept]!) return;
      strength[concept] = weighted;
      label[concept] = found.label;
      window[concept] = inWindow;
      whole[concept] = found.whole ? 1 : 0;
      oneWord[concept] = found.isOneWord ? 1 : 0;
    },
    best(limit: number): TagCandidate[] {
      const candidates = seen.map((concept) => ({
        concept,
        label: label[concept]!,
        window: window[concept]!,
        whole: whole[concept] === 1,
        isOneWord: oneWord[concept] === 1,
        strength: strength[concept]! * (1 + REPETITION_GAIN * Math.log(Math.max(1, repeats[concept]!))),
      }));
      const sureWindows = new Set(candidates.filter(isSure).map((candidate) => candidate.window));
      return candidates
        .filter((candidate) => isCredible(candidate, sureWindows))
        .sort((a, b) => b.strength - a.strength || a.concept - b.concept)
        .slice(0, limit);
    },
  };
}

function isGuess({ whole, isOneWord }: TagCandidate): boolean {
  return isOneWord && !whole;
}

function isSure(candidate: TagCandidate): boolean {
  return !isGuess(candidate) && confidenceOf(candidate.strength) >= SURE_CONFIDENCE;
}

/** One word of a longer label is a guess: idle talk is full of such words. It counts beside something surer only. */
function isCredible(candidate: TagCandidate, sureWindows: ReadonlySet<number>): boolean {
  const confidence = confidenceOf(candidate.strength);
  if (!isGuess(candidate)) return confidence >= TAG_FLOOR;
  return confidence >= GUESS_FLOOR && sureWindows.has(candidate.window);
}
