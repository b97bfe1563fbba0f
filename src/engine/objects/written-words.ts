import { hasBit } from '../bitset.ts';
import { commonestWord, type TypoFinder } from './guess-words.ts';
import { termsOfWord } from './lexicon.ts';
import type { LiveSegment } from './merge-segments.ts';
import { termSource } from './term-source.ts';
import { countLive, exactTerms, sourcesOf, termsNamed } from './word-terms.ts';

/** What the documents say of a word. */
export interface WrittenWords {
  /** Whether a document has it, letter for letter, so far as is known: of a removed document it is forgotten when segments are
   *  merged, or when none is left that has a form of the word. */
  isWritten(word: string): boolean;
  /** What it is a typo of; null where a document has one of the terms, or nothing is like it.
   *  @param derived further terms, only asked for where no document has the first */
  correct(word: string, terms: readonly string[], derived: () => readonly string[]): string | null;
}

export function createWrittenWords(parts: readonly LiveSegment[], findTypos: TypoFinder): WrittenWords {
  const segments = parts.map(({ segment }) => segment);
  const isFound = (terms: readonly ReadonlySet<number>[]) =>
    countLive(parts, sourcesOf(segments, terms, 1, true)) > 0;
  const isWritten = (word: string) => parts.some((part) => hasWord(part, word));
  return {
    isWritten,
    correct(word, terms, derived) {
      // Nearly every word is one that some document has, and is found to be at once.
      if (isWritten(word)) return null;
      const spelled = segments.map(({ lexicon }) => termsOfWord(lexicon, word));
      const isKnown =
        isFound(exactTerms(segments, terms, spelled)) || isFound(termsNamed(segments, derived()));
      return isKnown ? null : commonestWord(segments, findTypos(word));
    },
  };
}

function hasWord({ segment, live }: LiveSegment, word: string): boolean {
  const docsOf = (term: number) => termSource(segment, term, { weight: 1, isExact: true }).docs;
  return termsOfWord(segment.lexicon, word).some((term) => docsOf(term).some((doc) => hasBit(live, doc)));
}
