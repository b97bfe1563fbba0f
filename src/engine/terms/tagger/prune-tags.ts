import type { OpenTerms } from '../concept-view.ts';

export interface TagCandidate {
  readonly concept: number;
  readonly label: number;
  /** Where it was found at its strongest. */
  readonly window: number;
  /** The whole label stands there. */
  readonly whole: boolean;
  /** The window has one word of it only. */
  readonly isOneWord: boolean;
  readonly strength: number;
  /** The part of the strength that does not come from the words, but from the label's role and repetition. */
  readonly factor: number;
}

interface Kept {
  readonly candidate: TagCandidate;
  /** The label's distinct terms that the window has. */
  readonly words: readonly number[];
}

/** Partial matches of the same words that are kept beside the first. */
const MAX_PARTIAL_OF_SAME_WORDS = 2;

/** Drop tags that rest on words a stronger tag of the same window has explained: a shorter phrase within a longer one, a
 *  partial match of no other words. Equal phrases stay (one word can be a label of several taxonomies).
 *  Shape: the candidates come best first and stay so. */
export function pruneTags<T extends TagCandidate>(
  terms: OpenTerms,
  candidates: readonly T[],
  termsOfWindow: (window: number) => readonly number[],
): T[] {
  const kept = new Map<number, Kept[]>();
  return candidates.filter((candidate) => {
    const { window } = candidate;
    const before = kept.get(window) ?? [];
    const words = wordsOf(terms, candidate, termsOfWindow(window));
    if (isExplained({ candidate, words }, before)) return false;
    before.push({ candidate, words });
    kept.set(window, before);
    return true;
  });
}

function isExplained({ candidate: { whole }, words }: Kept, before: readonly Kept[]): boolean {
  const covering = before.filter((other) => isSubset(words, other.words));
  if (covering.some((other) => other.candidate.whole && other.words.length > words.length)) return true;
  return (
    !whole && (covering.some((other) => other.candidate.whole) || covering.length > MAX_PARTIAL_OF_SAME_WORDS)
  );
}

/** A phrase of another language has none of the window's terms: its own stand for them. */
function wordsOf({ labels }: OpenTerms, { label, whole }: TagCandidate, here: readonly number[]): number[] {
  const words: number[] = [];
  for (let at = labels.termStart[label]!; at < labels.termStart[label + 1]!; at++) {
    const term = labels.terms[at]!;
    if (!words.includes(term) && (whole || here.includes(term))) words.push(term);
  }
  return words;
}

function isSubset(part: readonly number[], whole: readonly number[]): boolean {
  return part.length <= whole.length && part.every((value) => whole.includes(value));
}
