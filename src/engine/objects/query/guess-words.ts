import { readString } from '#engine/string-table';
import { createTopK } from '#engine/top-k';
import { findSurfacesByPrefix, findSurfacesByTypo, listTermsOfSurface } from '../segment/lexicon.ts';
import { hasPostingIn, openList } from '../segment/postings.ts';
import { countSegmentDocuments, type LiveSegment, type Segment } from '../segment/segment.ts';
import { MAX_PREFIX_EXPANSIONS, MAX_TYPO_EXPANSIONS } from '../weights.ts';
import {
  countSourceDocuments,
  findExactSourceTerms,
  findNamedSourceTerms,
  openTermSources,
  type Speller,
  spreadTermsOverSegments,
} from './term-sources.ts';

/** Terms of the words that begin with `prefix`, by segment. */
export function guessTermsByPrefix(segments: readonly Segment[], prefix: string): Set<number>[] {
  const surfaces = segments.map(({ lexicon }) => findSurfacesByPrefix(lexicon, prefix));
  return termsOfCommonest(segments, surfaces, MAX_PREFIX_EXPANSIONS);
}

/** Gives the words one edit away that a document has, by segment; each word is looked up once. */
export type TypoFinder = (word: string) => readonly Uint32Array[];

export function createTypoGuesser(parts: readonly LiveSegment[]): TypoFinder {
  const known = new Map<string, readonly Uint32Array[]>();
  const findIn = (part: LiveSegment, word: string) => {
    const { lexicon } = part.segment;
    return findSurfacesByTypo(lexicon, word).filter((surface) =>
      hasAnyTerm(part, listTermsOfSurface(lexicon, surface)),
    );
  };
  return (word) => {
    const surfaces = known.get(word) ?? parts.map((part) => findIn(part, word));
    known.set(word, surfaces);
    return surfaces;
  };
}

/** Terms of words, by segment; of the commonest ones, if there are many. */
export function guessTermsOfTypos(
  segments: readonly Segment[],
  surfaces: readonly Uint32Array[],
): Set<number>[] {
  return termsOfCommonest(segments, surfaces, MAX_TYPO_EXPANSIONS);
}

/** The word that most documents have, given words by segment; of equally common ones the first in the alphabet. Null where there
 *  is none. */
export function findCommonestWord(
  segments: readonly Segment[],
  surfaces: readonly Uint32Array[],
): string | null {
  for (const [s, [surface]] of chooseCommonest(segments, surfaces, 1).entries()) {
    if (surface !== undefined) return readString(segments[s]!.lexicon.surfaces, surface);
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
      new Set(Array.from(own).flatMap((surface) => [...listTermsOfSurface(segments[s]!.lexicon, surface)])),
  );
  return spreadTermsOverSegments(segments, terms);
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
      const word = readString(segments[s]!.lexicon.surfaces, surface);
      words.set(word, (words.get(word) ?? 0) + frequencyOf(segments[s]!, surface));
    }
  }
  const spellings = [...words.keys()].sort();
  for (const [i, word] of spellings.entries()) top.offer(words.get(word)!, i, i);
  const wanted = new Set(Array.from(top.finish().items, (i) => spellings[i]!));
  return surfaces.map((own, s) =>
    own.filter((surface) => wanted.has(readString(segments[s]!.lexicon.surfaces, surface))),
  );
}

function frequencyOf(segment: Segment, surface: number): number {
  const { termStart, terms } = segment.lexicon;
  let sum = 0;
  for (let i = termStart[surface]!; i < termStart[surface + 1]!; i++) {
    sum += countSegmentDocuments(segment, terms[i]!);
  }
  return sum;
}

/** What the documents know of a word. */
export interface WrittenWords {
  /** Whether a document has it, letter for letter. Words of a removed document are forgotten only when segments are merged, or
   *  when no document with a form of the word is left. */
  isWritten(word: string): boolean;
  /** What it is a typo of; null where a document has one of the terms, or nothing is similar.
   *  @param derived further terms, only asked for where no document has the first */
  correct(word: string, terms: readonly string[], derived: () => readonly string[]): string | null;
}

export function createWrittenWords(
  parts: readonly LiveSegment[],
  { findTypos, spell }: { readonly findTypos: TypoFinder; readonly spell: Speller },
): WrittenWords {
  const segments = parts.map(({ segment }) => segment);
  const isFound = (terms: readonly ReadonlySet<number>[]) =>
    countSourceDocuments(parts, openTermSources(segments, terms, 1, true)) > 0;
  const isWritten = (word: string) => parts.some((part, p) => hasAnyTerm(part, spell(word)[p]!));
  return {
    isWritten,
    correct(word, terms, derived) {
      // Nearly every word is one that some document has, so this is checked first.
      if (isWritten(word)) return null;
      const isKnown =
        isFound(findExactSourceTerms(segments, terms, spell(word))) ||
        isFound(findNamedSourceTerms(segments, derived()));
      return isKnown ? null : findCommonestWord(segments, findTypos(word));
    },
  };
}

function hasAnyTerm({ segment, live, liveCount }: LiveSegment, terms: Uint32Array): boolean {
  if (liveCount === segment.count) return terms.length > 0;
  return terms.some((term) => hasPostingIn(openList(segment.postings, term), live));
}
