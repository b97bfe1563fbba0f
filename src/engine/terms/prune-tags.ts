import type { OpenTerms } from './concept-view.ts';

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
}

/** Partial matches of the same words that are kept beside the first. */
const MAX_PARTIAL_OF_SAME_WORDS = 2;

/** Drop tags that rest on words a stronger tag of the same window has explained: a shorter phrase within a longer one, a
 *  partial match of no other words. Equal phrases stay (one word can be a label of several taxonomies).
 *  Shape: the candidates come best first and stay so. */
export function pruneTags(
  { labels }: OpenTerms,
  candidates: readonly TagCandidate[],
  termsOfWindow: (window: number) => readonly number[],
): TagCandidate[] {
  const termSets = new Map<number, ReadonlySet<number>>();
  const kept: { candidate: TagCandidate; words: Set<number> }[] = [];
  for (const candidate of candidates) {
    const { label, window, whole } = candidate;
    const here = termSets.get(window) ?? new Set(termsOfWindow(window));
    termSets.set(window, here);
    const all = labels.terms.subarray(labels.termStart[label], labels.termStart[label + 1]);
    // A phrase of another language has none of the window's terms: its own stand for them.
    const words = new Set(whole ? all : all.filter((term) => here.has(term)));
    const covering = kept.filter(
      (other) => other.candidate.window === window && isSubset(words, other.words),
    );
    const isPart = covering.some((other) => other.candidate.whole && other.words.size > words.size);
    const isWeaker =
      !whole &&
      (covering.some((other) => other.candidate.whole) || covering.length > MAX_PARTIAL_OF_SAME_WORDS);
    if (!isPart && !isWeaker) kept.push({ candidate, words });
  }
  return kept.map(({ candidate }) => candidate);
}

function isSubset(part: ReadonlySet<number>, whole: ReadonlySet<number>): boolean {
  if (part.size > whole.size) return false;
  for (const value of part) if (!whole.has(value)) return false;
  return true;
}
