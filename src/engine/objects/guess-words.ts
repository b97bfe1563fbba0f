import { findString, stringAt } from '../string-table.ts';
import { surfacesByPrefix, surfacesByTypo, termsOfSurface } from './lexicon.ts';
import { documentFrequency, type Segment } from './segment.ts';
import { createTopK } from './top-k.ts';
import { MAX_PREFIX_EXPANSIONS, MAX_TYPO_EXPANSIONS } from './weights.ts';

/** Terms of the words that begin with `prefix`, by segment. */
export function termsByPrefix(segments: readonly Segment[], prefix: string): Set<number>[] {
  const surfaces = segments.map(({ lexicon }) => surfacesByPrefix(lexicon, prefix));
  return termsOfCommonest(segments, surfaces, MAX_PREFIX_EXPANSIONS);
}

/** Gives the words one edit away, by segment; each word is looked up once. */
export type TypoFinder = (word: string) => readonly Uint32Array[];

export function createTypoFinder(segments: readonly Segment[]): TypoFinder {
  const known = new Map<string, readonly Uint32Array[]>();
  return (word) => {
    const surfaces = known.get(word) ?? segments.map(({ lexicon }) => surfacesByTypo(lexicon, word));
    known.set(word, surfaces);
    return surfaces;
  };
}

/** Terms of words, by segment; of the commonest ones, if there are many. */
export function termsOfTypos(segments: readonly Segment[], surfaces: readonly Uint32Array[]): Set<number>[] {
  return termsOfCommonest(segments, surfaces, MAX_TYPO_EXPANSIONS);
}

/** Of words by segment that which most documents have, of equally common ones the first in the alphabet; null where there
 *  is none. */
export function commonestWord(segments: readonly Segment[], surfaces: readonly Uint32Array[]): string | null {
  for (const [s, [surface]] of chooseCommonest(segments, surfaces, 1).entries()) {
    if (surface !== undefined) return stringAt(segments[s]!.lexicon.surfaces, surface);
  }
  return null;
}

/** Terms, by segment, of the `limit` words that most documents have; equally common ones by the alphabet.
 *  @param surfaces by segment, words of its lexicon, ascending */
function termsOfCommonest(
  segments: readonly Segment[],
  surfaces: readonly Uint32Array[],
  limit: number,
): Set<number>[] {
  const size = surfaces.reduce((sum, own) => sum + own.length, 0);
  const chosen = size <= limit ? surfaces : chooseCommonest(segments, surfaces, limit);
  const terms = chosen.map(
    (own, s) =>
      new Set(Array.from(own).flatMap((surface) => [...termsOfSurface(segments[s]!.lexicon, surface)])),
  );
  return shareTerms(segments, terms);
}

/** Terms that any segment names, in every segment that has them: one may have the stem of a word but not its spelling. */
export function shareTerms(segments: readonly Segment[], terms: readonly Set<number>[]): Set<number>[] {
  if (segments.length === 1) return [...terms];
  const texts = new Set(
    segments.flatMap((segment, s) => [...terms[s]!].map((term) => stringAt(segment.terms, term))),
  );
  return segments.map(
    (segment) =>
      new Set([...texts].map((text) => findString(segment.terms, text)).filter((term) => term >= 0)),
  );
}

function chooseCommonest(
  segments: readonly Segment[],
  surfaces: readonly Uint32Array[],
  limit: number,
): Uint32Array[] {
  const top = createTopK(limit);
  if (segments.length === 1) {
    for (const surface of surfaces[0]!) top.offer(frequencyOf(segments[0]!, surface), surface, surface);
    return [top.finish().items];
  }
  // Only several segments have to be compared by spelling.
  const words = new Map<string, number>();
  for (const [s, own] of surfaces.entries()) {
    for (const surface of own) {
      const word = stringAt(segments[s]!.lexicon.surfaces, surface);
      words.set(word, (words.get(word) ?? 0) + frequencyOf(segments[s]!, surface));
    }
  }
  const spellings = [...words.keys()].sort();
  for (const [i, word] of spellings.entries()) top.offer(words.get(word)!, i, i);
  const wanted = new Set(Array.from(top.finish().items, (i) => spellings[i]!));
  return surfaces.map((own, s) =>
    own.filter((surface) => wanted.has(stringAt(segments[s]!.lexicon.surfaces, surface))),
  );
}

function frequencyOf(segment: Segment, surface: number): number {
  const { termStart, terms } = segment.lexicon;
  let sum = 0;
  for (let i = termStart[surface]!; i < termStart[surface + 1]!; i++) {
    sum += documentFrequency(segment, terms[i]!);
  }
  return sum;
}
