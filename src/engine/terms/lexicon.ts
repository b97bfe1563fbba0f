import { allStrings } from '../string-table.ts';
import { stem } from '../text/stem.ts';
import { isStopword } from '../text/stopwords.ts';
import { NONE, type Vocabulary } from './term-data.ts';

/** Ordinals side by side, NONE for what no label has. */
export interface ContentWords {
  readonly words: readonly number[];
  readonly terms: readonly number[];
}

/** Words and stems by their letters; made when an index is opened, never saved. */
export interface Lexicon {
  /** By ordinal, sorted. */
  readonly words: readonly string[];
  findWord(word: string): number;
  /** The term a word stands for in a language (an ordinal of `langs`), or NONE. */
  findTerm(word: string, lang: number): number;
  /** The words of a text in order, function words left out. */
  readContent(words: readonly string[], lang: number): ContentWords;
  /** Ordinal of a language, or -1. */
  findLang(lang: string): number;
}

/** Two flat maps from strings to ordinals: three times as fast as searching the string tables. */
export function openLexicon({ langs, words, stems, termLang, termOfWord }: Vocabulary): Lexicon {
  const wordList = allStrings(words);
  // Plain loops: requests wait while an index is opened, and pairs and iterators take three times as long.
  const wordIds = new Map<string, number>();
  for (let ordinal = 0; ordinal < wordList.length; ordinal++) wordIds.set(wordList[ordinal]!, ordinal);
  const termIds = langs.map(() => new Map<string, number>());
  const stemList = allStrings(stems);
  for (let term = 0; term < stemList.length; term++) termIds[termLang[term]!]?.set(stemList[term]!, term);
  const findWord = (word: string) => wordIds.get(word) ?? NONE;
  const functionWords = langs.map((lang) => markFunctionWords(wordList, lang));
  const termOfUnknown = (word: string, lang: number) =>
    termIds[lang]?.get(stem(word, langs[lang] ?? '')) ?? NONE;
  return {
    words: wordList,
    findWord,
    findTerm(word, lang) {
      const ordinal = findWord(word);
      return ordinal === NONE ? termOfUnknown(word, lang) : termOfWord[ordinal * langs.length + lang]!;
    },
    readContent(words, lang) {
      const content = { words: [] as number[], terms: [] as number[] };
      for (const word of words) {
        const ordinal = findWord(word);
        const isFunctionWord =
          ordinal === NONE ? isStopword(word, langs[lang]) : functionWords[lang]?.[ordinal] !== 0;
        if (isFunctionWord) continue;
        content.words.push(ordinal);
        content.terms.push(
          ordinal === NONE ? termOfUnknown(word, lang) : termOfWord[ordinal * langs.length + lang]!,
        );
      }
      return content;
    },
    findLang: (lang) => langs.indexOf(lang),
  };
}

/** By ordinal: 1 for a function word of the language. */
function markFunctionWords(words: readonly string[], lang: string): Uint8Array {
  const marks = new Uint8Array(words.length);
  for (let ordinal = 0; ordinal < words.length; ordinal++) {
    if (isStopword(words[ordinal]!, lang)) marks[ordinal] = 1;
  }
  return marks;
}
