import { createGrowableUint32, findLowerBound, sortByKey } from '../arrays.ts';
import { hashString, hashWithout } from '../hash.ts';

/** Finds words that differ by one letter or its place: hashes of each word, and of the word without
 *  each one of its letters, sorted, with the word's number. */
export type TypoTable = { readonly typoHash: Uint32Array; readonly typoWord: Uint32Array };

/** Shorter words have too many neighbours, longer ones are rarely typed. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
/** Up to this length, a word with another first letter is another word. */
const SHORT_LENGTH = 5;
/** Shorter words have neighbours in any spelling. */
const MIN_RESPELLED = 7;
/** In shorter words, another letter makes another word. */
const MIN_REPLACED = 8;
const HAS_DIGIT = /\d/;

/** Words of a table; further ones are not found by a typo. */
export const MAX_TYPO_WORDS = 2 ** 21;

export function buildTypoTable(words: readonly string[]): TypoTable {
  const count = Math.min(words.length, MAX_TYPO_WORDS);
  const hashes = createGrowableUint32();
  const numbers = createGrowableUint32();
  for (let i = 0; i < count; i++) {
    // A word with digits is not a typo of another: `html4` and `html5` are two things.
    if (!hasTypoLength(words[i]!) || HAS_DIGIT.test(words[i]!)) continue;
    for (const hash of hashNeighbourhood(words[i]!)) {
      hashes.push(hash);
      numbers.push(i);
    }
  }
  const { keys, values } = sortByKey(hashes.finish(), numbers.finish());
  return { typoHash: keys, typoWord: values };
}

/** Finds the words at most one edit away, or with a letter two places off, ascending; if there
 *  are none, those so near to a spelling that sounds alike. @param spell returns the word with a
 *  number */
export function findTypos(table: TypoTable, word: string, spell: (number: number) => string): Uint32Array {
  const typos = findNearWords(table, word, spell);
  if (typos.size === 0)
    for (const respelling of listRespellings(word))
      for (const typo of findNearWords(table, respelling, spell)) typos.add(typo);
  return Uint32Array.from(typos).sort();
}

/** Other spellings of the same sounds, which are often mistyped once more: `begginer` without a
 *  `g` is one edit away from `beginner`, `fotoshop` with `ph` is `photoshop`. */
export function listRespellings(word: string): string[] {
  if (word.length < MIN_RESPELLED) return [];
  const undoubled = Array.from(word.matchAll(/(.)\1/g), ({ index }) => word.slice(0, index) + word.slice(index + 1));
  const respellings = [...undoubled, word.replaceAll('ph', 'f'), word.replaceAll('f', 'ph')];
  return respellings.filter((respelling) => respelling !== word);
}

function findNearWords(table: TypoTable, word: string, spell: (number: number) => string): Set<number> {
  const { typoHash, typoWord } = table;
  const typos = new Set<number>();
  if (!hasTypoLength(word)) return typos;
  for (const hash of hashNeighbourhood(word)) {
    for (let i = findLowerBound(typoHash, hash); typoHash[i] === hash; i++) {
      const number = typoWord[i]!;
      if (!typos.has(number) && isTypoOf(word, spell(number))) typos.add(number);
    }
  }
  return typos;
}

function isTypoOf(word: string, near: string): boolean {
  // A short word with another first letter is another word: `kpis` is not a typo of `apis`.
  const isLong = word.length > SHORT_LENGTH;
  const hasFirst = word[0] === near[0];
  return ((isLong || hasFirst) && isWithinOneEdit(word, near)) || (isLong && hasFirst && isLetterMoved(word, near));
}

/** Tells whether the words differ by the place of one letter, at most two places off: `phyton`,
 *  `python`. Both are the same word without that letter. */
export function isLetterMoved(word: string, near: string): boolean {
  if (word.length !== near.length) return false;
  const at = [...word].findIndex((letter, i) => letter !== near[i]);
  return [2, 3].some((length) => {
    const [a, b] = [word, near].map((each) => each.slice(at, at + length)) as [string, string];
    const isRotated = a.slice(1) + a[0] === b || b.slice(1) + b[0] === a;
    return isRotated && word.slice(at + length) === near.slice(at + length);
  });
}

/** Letters that sound alike in some language. */
const ALIKE = ['bfvw', 'ckqsxz', 'dt', 'gijy', 'mn', 'aeiou'];

/** Tells whether a word that no document has is rather a typo than another word: its first
 *  letter is the same or too many, another letter sounds alike (not `scared` and `shared`)
 *  unless the word is long, and a short word has no letter too many that is not doubled (not
 *  `viens` and `vies`). */
export function isLikelyTypo(word: string, near: string): boolean {
  const isLong = word.length > SHORT_LENGTH;
  if (word.length !== near.length)
    return isLong || (word[0] === near[0] && (word.length < near.length || /(.)\1/.test(word)));
  const at = [...word].findIndex((letter, i) => letter !== near[i]);
  const soundsAlike = ALIKE.some((letters) => letters.includes(word[at]!) && letters.includes(near[at]!));
  return at > 0 && (isLetterMoved(word, near) || word.length >= MIN_REPLACED || soundsAlike);
}

/** Hashes the word, and the word without each one of its letters. Words that are one edit
 *  apart share such a hash. Source: the symmetric deletion algorithm (SymSpell, Garbe 2012). */
function hashNeighbourhood(word: string): number[] {
  const hashes = [hashString(word)];
  for (let i = 0; i < word.length; i++) {
    // Leaving out either of two equal neighbours gives the same word.
    if (i === 0 || word[i] !== word[i - 1]) hashes.push(hashWithout(word, i));
  }
  return hashes;
}

const hasTypoLength = (word: string): boolean => word.length >= MIN_LENGTH && word.length <= MAX_LENGTH;

/** Tells whether one insertion, deletion, substitution or swap of neighbours at most is between two
 *  words.
 *  Source: optimal string alignment distance, Boytsov 2011, section 2.2.
 *  @example isWithinOneEdit('docker', 'dokcer') // true */
export function isWithinOneEdit(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let shortEnd = short.length;
  let longEnd = long.length;
  while (shortEnd > start && longEnd > start && short[shortEnd - 1] === long[longEnd - 1]) {
    shortEnd--;
    longEnd--;
  }
  const shortRest = shortEnd - start;
  const longRest = longEnd - start;
  if (longRest <= 1) return true;
  return shortRest === 2 && longRest === 2 && short[start] === long[start + 1] && short[start + 1] === long[start];
}
