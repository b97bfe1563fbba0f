import { addToHash, HASH_START } from '../hash.ts';
import { readStringTable, type StringTable } from '../string-table.ts';
import { stem } from '../text/stem.ts';
import { isStopword, stopwordsOf } from '../text/stopwords.ts';
import { NO_NAME, NONE, type Vocabulary } from './term-data.ts';

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

/** Words by their letters, without a string for the one that is looked for. */
export interface WordTable {
  /** Ordinal of the word whose UTF-8 bytes are these, or NONE.
   *  @param hash of them: `addToHash` from HASH_START on */
  findBytes(bytes: Uint8Array, range: { from: number; to: number; hash: number }): number;
  findWord(word: string): number;
}

const encoder = new TextEncoder();

/** A table with open addressing over the bytes as they are saved: made in a fraction of the time that a map of strings takes. */
export function openWordTable({ bytes, offsets }: StringTable): WordTable {
  const count = offsets.length - 1;
  /** An ordinal and one; 0 for nothing. */
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  const mask = slots.length - 1;
  for (let word = 0; word < count; word++) {
    let slot = slotOf(hashBytes(bytes, offsets[word]!, offsets[word + 1]!));
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = word + 1;
  }
  let room = new Uint8Array(256);

  function slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & mask;
  }

  function isAt(word: number, wanted: Uint8Array, { from, to }: { from: number; to: number }): boolean {
    let own = offsets[word]!;
    if (offsets[word + 1]! - own !== to - from) return false;
    for (let at = from; at < to; at++) if (bytes[own++] !== wanted[at]) return false;
    return true;
  }

  const findBytes: WordTable['findBytes'] = (wanted, range) => {
    for (let slot = slotOf(range.hash); slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (isAt(slots[slot]! - 1, wanted, range)) return slots[slot]! - 1;
    }
    return NONE;
  };

  return {
    findBytes,
    findWord(word) {
      if (word.length * 3 > room.length) room = new Uint8Array(word.length * 6);
      const to = encoder.encodeInto(word, room).written;
      return findBytes(room, { from: 0, to, hash: hashBytes(room, 0, to) });
    },
  };
}

function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let at = from; at < to; at++) hash = addToHash(hash, bytes[at]!);
  return hash;
}
