import { readStringTable } from '../string-table.ts';
import { stem } from '../text/stem.ts';
import { isStopword, stopwordsOf } from '../text/stopwords.ts';
import { NO_NAME, NONE, type Vocabulary } from './term-data.ts';
import { openWordTable, type WordTable } from './word-table.ts';

/** Ordinals one after another, NONE for words that no label has. */
export interface ContentWords {
  readonly words: readonly number[];
  readonly terms: readonly number[];
  /** Where each stands in the sequence it was read from. */
  readonly places: readonly number[];
}

/** Words in order. */
export interface WordSequence {
  /** Ordinals, NONE for what no label has. */
  readonly words: ArrayLike<number>;
  /** The letters of a word, asked for only where it has no ordinal. */
  wordAt(place: number): string;
}

/** Words and stems by their letters; made when an index is opened, never saved. */
export interface Lexicon {
  /** By ordinal, sorted. */
  readonly words: readonly string[];
  readonly wordTable: WordTable;
  findWord(word: string): number;
  /** The term a word stands for in a language (an ordinal of `langs`), or NONE. */
  findTerm(word: string, lang: number): number;
  /** The words of a text in order, function words left out. */
  readContent(words: readonly string[], lang: number): ContentWords;
  /** The same for a half-open range of known ordinals. */
  readRange(sequence: WordSequence, range: { from: number; to: number }, lang: number): ContentWords;
  /** Ordinal of a language, or -1. */
  findLang(lang: string): number;
}

export function openLexicon({ langs, words, stems, termLang, termOfWord }: Vocabulary): Lexicon {
  const wordList = readStringTable(words);
  const wordTable = openWordTable(words);
  const { findWord } = wordTable;
  // Plain loops: requests wait while an index is opened, and pairs and iterators take three times as long.
  const termIds = langs.map(() => new Map<string, number>());
  const stemList = readStringTable(stems);
  for (let term = 0; term < stemList.length; term++) termIds[termLang[term]!]?.set(stemList[term]!, term);
  const functionWords = langs.map(markFunctionWords);
  const termOfUnknown = (word: string, lang: number) =>
    termIds[lang]?.get(stem(word, langs[lang] ?? '')) ?? NONE;

  /** By ordinal: 1 for a function word of the language. */
  function markFunctionWords(lang: string): Uint8Array {
    const marks = new Uint8Array(wordList.length);
    for (const word of stopwordsOf(lang)) {
      const ordinal = findWord(word);
      if (ordinal !== NONE) marks[ordinal] = 1;
    }
    return marks;
  }

  function readRange(
    sequence: WordSequence,
    { from, to }: { from: number; to: number },
    lang: number,
  ): ContentWords {
    const content = { words: [] as number[], terms: [] as number[], places: [] as number[] };
    const isFunctionWord = functionWords[lang];
    for (let place = from; place < to; place++) {
      const ordinal = sequence.words[place]!;
      if (ordinal === NO_NAME) continue;
      if (ordinal === NONE) {
        const word = sequence.wordAt(place);
        if (isStopword(word, langs[lang])) continue;
        content.places.push(place);
        content.words.push(NONE);
        content.terms.push(termOfUnknown(word, lang));
      } else if (isFunctionWord?.[ordinal] === 0) {
        content.places.push(place);
        content.words.push(ordinal);
        content.terms.push(termOfWord[ordinal * langs.length + lang]!);
      }
    }
    return content;
  }

  return {
    words: wordList,
    wordTable,
    findWord,
    findTerm(word, lang) {
      const ordinal = findWord(word);
      return ordinal === NONE ? termOfUnknown(word, lang) : termOfWord[ordinal * langs.length + lang]!;
    },
    readContent: (words, lang) =>
      readRange(
        { words: words.map(findWord), wordAt: (place) => words[place]! },
        { from: 0, to: words.length },
        lang,
      ),
    readRange,
    findLang: (lang) => langs.indexOf(lang),
  };
}
