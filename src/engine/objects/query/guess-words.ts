import { sumValues } from '#engine/arrays';
import { addCount, getOrAdd } from '#engine/maps';
import { readString } from '#engine/string-table';
import { isLikelyTypo } from '#engine/text/typo-table';
import { createTopK } from '#engine/top-k';
import { findSurfacesByPrefix, findSurfacesByTypo, listTermsOfSurface } from '../segment/lexicon.ts';
import { hasPostingIn, openPostings } from '../segment/postings.ts';
import { countSegmentDocuments, type LiveSegment, type Segment } from '../segment/segment.ts';
import { MAX_PREFIX_EXPANSIONS, MAX_TYPO_EXPANSIONS } from '../weights.ts';
import {
  countSourceDocuments,
  findExactTerms,
  findNamedTerms,
  openTermSources,
  type Speller,
  spreadTermsOverSegments,
} from './term-sources.ts';

/** Finds, by segment, the terms of the commonest words with this prefix. */
export function guessTermsByPrefix(segments: readonly Segment[], prefix: string): Set<number>[] {
  const surfaces = segments.map(({ lexicon }) => findSurfacesByPrefix(lexicon, prefix));
  return listTermsOfCommonestWords(segments, surfaces, MAX_PREFIX_EXPANSIONS);
}

/** Finds, by segment, the words of live documents of which a word may be a typo: those of the
 *  preferred language, if there are any. */
export type TypoFinder = (word: string) => readonly Uint32Array[];

export function createTypoGuesser(parts: readonly LiveSegment[], lang: string | null): TypoFinder {
  const cache = new Map<string, readonly Uint32Array[]>();
  const findIn = (part: LiveSegment, word: string) => {
    const { lexicon } = part.segment;
    const letters = dropDigits(word);
    // A digit is not a mistyped letter: `chi2` is not `chip`, but `python3` may be `python`.
    const isLikely = (surface: number) => {
      const near = readString(lexicon.surfaces, surface);
      return letters === word ? isLikelyTypo(word, near) : dropDigits(near) === letters;
    };
    return findSurfacesByTypo(lexicon, word).filter(
      (surface) => isLikely(surface) && hasAnyTerm(part, listTermsOfSurface(lexicon, surface)),
    );
  };
  const isInLanguage = ({ segment: { lexicon, terms } }: LiveSegment, surface: number) =>
    listTermsOfSurface(lexicon, surface).some((term) => readString(terms, term).endsWith(`/${lang}`));
  function guessTypos(word: string): readonly Uint32Array[] {
    const typos = parts.map((part) => findIn(part, word));
    const inLanguage = typos.map((surfaces, p) => surfaces.filter((surface) => isInLanguage(parts[p]!, surface)));
    return inLanguage.some(({ length }) => length > 0) ? inLanguage : typos;
  }
  return (word) => getOrAdd(cache, word, () => guessTypos(word));
}

const dropDigits = (word: string) => word.replace(/\d+/g, '');

export function guessTermsOfTypos(segments: readonly Segment[], surfaces: readonly Uint32Array[]): Set<number>[] {
  return listTermsOfCommonestWords(segments, surfaces, MAX_TYPO_EXPANSIONS);
}

/** Returns the word that most documents have, ties in alphabetical order; null without words.
 *  @param surfaces by segment, words of its lexicon */
function guessCommonestWord(segments: readonly Segment[], surfaces: readonly Uint32Array[]): string | null {
  for (const [s, [surface]] of chooseCommonest(segments, surfaces, 1).entries()) {
    if (surface !== undefined) return readString(segments[s]!.lexicon.surfaces, surface);
  }
  return null;
}

/** Lists, by segment, the terms of the `limit` commonest words; ties in alphabetical order.
 *  @param surfaces by segment, words of its lexicon, ascending */
function listTermsOfCommonestWords(
  segments: readonly Segment[],
  surfaces: readonly Uint32Array[],
  limit: number,
): Set<number>[] {
  const size = sumValues(surfaces.map(({ length }) => length));
  const chosen = size <= limit ? surfaces : chooseCommonest(segments, surfaces, limit);
  const terms = segments.map(({ lexicon }, s) => {
    return new Set(Array.from(chosen[s]!).flatMap((surface) => [...listTermsOfSurface(lexicon, surface)]));
  });
  return spreadTermsOverSegments(segments, terms);
}

function chooseCommonest(segments: readonly Segment[], surfaces: readonly Uint32Array[], limit: number): Uint32Array[] {
  const top = createTopK(limit);
  if (segments.length === 1) {
    for (const surface of surfaces[0]!) top.offer(countWordDocuments(segments[0]!, surface), surface, surface);
    return [top.finish().items];
  }
  // Words of several segments are compared by their spelling.
  const words = new Map<string, number>();
  for (const [s, ofSegment] of surfaces.entries()) {
    for (const surface of ofSegment) {
      const word = readString(segments[s]!.lexicon.surfaces, surface);
      addCount(words, word, countWordDocuments(segments[s]!, surface));
    }
  }
  const spellings = [...words.keys()].sort();
  for (const [i, word] of spellings.entries()) top.offer(words.get(word)!, i, i);
  const commonest = new Set(Array.from(top.finish().items, (i) => spellings[i]!));
  return surfaces.map((ofSegment, s) =>
    ofSegment.filter((surface) => commonest.has(readString(segments[s]!.lexicon.surfaces, surface))),
  );
}

function countWordDocuments(segment: Segment, surface: number): number {
  const { termStart, terms } = segment.lexicon;
  let sum = 0;
  for (let i = termStart[surface]!; i < termStart[surface + 1]!; i++) sum += countSegmentDocuments(segment, terms[i]!);
  return sum;
}

/** The words that documents have. */
export interface WrittenWords {
  /** Tells whether a document has the word in this spelling. A removed document counts until its
   *  segment is merged, if a live one has the same term. */
  isWritten(word: string): boolean;
  /** Returns the word of which this one is a typo; null if a document has one of the terms, or no
   *  word is similar.
   *  @param derived returns further terms; called only if no document has one of the first */
  correct(word: string, terms: readonly string[], derived: () => readonly string[]): string | null;
}

export function createWrittenWords(
  parts: readonly LiveSegment[],
  { findTypos, spell }: { readonly findTypos: TypoFinder; readonly spell: Speller },
): WrittenWords {
  const segments = parts.map(({ segment }) => segment);
  const hasDocuments = (terms: readonly ReadonlySet<number>[]) =>
    countSourceDocuments(parts, openTermSources(segments, terms, 1, true)) > 0;
  const isWritten = (word: string) => parts.some((part, p) => hasAnyTerm(part, spell(word)[p]!));
  return {
    isWritten,
    correct(word, terms, derived) {
      // Checked first, as some document has nearly every word.
      if (isWritten(word)) return null;
      const hasForms =
        hasDocuments(findExactTerms(segments, terms, spell(word))) || hasDocuments(findNamedTerms(segments, derived()));
      return hasForms ? null : guessCommonestWord(segments, findTypos(word));
    },
  };
}

function hasAnyTerm({ segment, live, liveCount }: LiveSegment, terms: Uint32Array): boolean {
  if (liveCount === segment.count) return terms.length > 0;
  return terms.some((term) => hasPostingIn(openPostings(segment.postings, term), live));
}
