import { hashBytes } from '../hash.ts';
import { MAX_UTF8_BYTES, readStringTable, type StringTable } from '../string-table.ts';
import { stem } from '../text/stem.ts';
import { isStopword, stopwordsOf } from '../text/stopwords.ts';
import { NO_NAME, NONE, type Vocabulary } from './term-data.ts';

/** The words of a text without function words, as ordinals; NONE for words that no label has. */
export interface ContentWords {
  readonly words: readonly number[];
  readonly terms: readonly number[];
  /** The place of each word in the original sequence. */
  readonly places: readonly number[];
}

export interface WordSequence {
  /** The ordinals of words; NONE for words that no label has. */
  readonly words: ArrayLike<number>;
  /** Returns the letters of a word; called only for words without an ordinal. */
  wordAt(place: number): string;
}

/** Looks up words and stems by their letters. It is made when an index is opened, and not saved. */
export interface Lexicon {
  readonly words: readonly string[];
  readonly wordTable: WordTable;
  findWord(word: string): number;
  /** Finds the term of a word in a language (an ordinal of `langs`), or NONE. */
  findTerm(word: string, lang: number): number;
  /** Leaves out the function words of a language. */
  readContent(words: readonly string[], lang: number): ContentWords;
  /** The same for a range of a sequence, end exclusive. */
  readRange(sequence: WordSequence, range: { from: number; to: number }, lang: number): ContentWords;
  /** Finds the ordinal of a language, or -1. */
  findLang(lang: string): number;
}

export function openLexicon({ langs, words, stems, termLang, termOfWord }: Vocabulary): Lexicon {
  const wordList = readStringTable(words);
  const wordTable = openWordTable(words);
  const { findWord } = wordTable;
  // Plain loops are three times as fast as iterators, and requests wait while an index is opened.
  const termIds = langs.map(() => new Map<string, number>());
  const stemList = readStringTable(stems);
  for (let term = 0; term < stemList.length; term++) termIds[termLang[term]!]?.set(stemList[term]!, term);
  const findByStem = (word: string, lang: number) => termIds[lang]?.get(stem(word, langs[lang] ?? '')) ?? NONE;
  const functionWords = langs.map((lang) => markFunctionWords(lang, wordTable, wordList.length));

  function readRange(sequence: WordSequence, { from, to }: { from: number; to: number }, lang: number): ContentWords {
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
        content.terms.push(findByStem(word, lang));
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
      return ordinal === NONE ? findByStem(word, lang) : termOfWord[ordinal * langs.length + lang]!;
    },
    readContent(list, lang) {
      const sequence = { words: list.map(findWord), wordAt: (place: number) => list[place]! };
      return readRange(sequence, { from: 0, to: list.length }, lang);
    },
    readRange,
    findLang: (lang) => langs.indexOf(lang),
  };
}

function markFunctionWords(lang: string, { findWord }: WordTable, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const word of stopwordsOf(lang)) {
    const ordinal = findWord(word);
    if (ordinal !== NONE) marks[ordinal] = 1;
  }
  return marks;
}

/** Finds words by their letters, without creating a string. */
export interface WordTable {
  /** @param range of the letters, end exclusive, with their hash by `hashBytes` @returns an
   *  ordinal, or NONE */
  findBytes(letters: Uint8Array, range: { from: number; to: number; hash: number }): number;
  /** @returns the ordinal of a word, or NONE */
  findWord(word: string): number;
}

const encoder = new TextEncoder();

/** Opens a hash table with open addressing over the saved bytes, in a fraction of the time of
 *  making a map of strings. */
export function openWordTable({ bytes, offsets }: StringTable): WordTable {
  const count = offsets.length - 1;
  /** The ordinal of a word plus one, or 0 for an empty slot. */
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  const mask = slots.length - 1;
  for (let word = 0; word < count; word++) {
    let slot = slotOf(hashBytes(bytes, offsets[word]!, offsets[word + 1]!));
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = word + 1;
  }
  let buffer = new Uint8Array(256);

  function slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & mask;
  }

  function isEqual(word: number, letters: Uint8Array, { from, to }: { from: number; to: number }): boolean {
    let position = offsets[word]!;
    if (offsets[word + 1]! - position !== to - from) return false;
    for (let at = from; at < to; at++) if (bytes[position++] !== letters[at]) return false;
    return true;
  }

  const findBytes: WordTable['findBytes'] = (letters, range) => {
    for (let slot = slotOf(range.hash); slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (isEqual(slots[slot]! - 1, letters, range)) return slots[slot]! - 1;
    }
    return NONE;
  };

  return {
    findBytes,
    findWord(word) {
      const capacity = word.length * MAX_UTF8_BYTES;
      if (capacity > buffer.length) buffer = new Uint8Array(capacity * 2);
      const to = encoder.encodeInto(word, buffer).written;
      return findBytes(buffer, { from: 0, to, hash: hashBytes(buffer, 0, to) });
    },
  };
}
