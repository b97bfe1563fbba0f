import { bisect } from '#engine/arrays';
import { findStringRange } from '#engine/string-table';
import { findLabelTypos, type OpenTerms } from '../concept-view.ts';
import { descendTrie, enterTrie, type TrieNode } from '../sequence-trie.ts';
import { NONE, type SequenceTrie } from '../term-data.ts';
import { BLOCK_SIZE } from './completions.ts';

/** Words that some label continues. The last word may be a prefix. */
export interface TypedWords {
  /** The words as they were typed or corrected. */
  readonly words: readonly string[];
  /** The labels that continue the words; never empty. */
  readonly node: TrieNode;
}

/** A range of the sorted words of the index, end exclusive. */
type WordRange = { readonly from: number; readonly to: number };
/** The most ways to correct a typo that are completed. */
const MAX_VARIANTS = 24;

/** @returns null if no label continues the words */
export function readWordsToComplete(terms: OpenTerms, words: readonly string[]): TypedWords | null {
  const node = followRanges(terms.completions.trie, null, findWordRanges(terms, words));
  return node === null ? null : { words, node };
}

/** Corrects one typo of the words, in each way that some label continues. Labels must continue the
 *  words before the typo, and have those after it, so few places are possible. */
export function completeWithOneTypo(terms: OpenTerms, words: readonly string[]): TypedWords[] {
  const { trie } = terms.completions;
  const ranges = findWordRanges(terms, words);
  const path = findCompletionPath(trie, ranges);
  const places = { first: Math.max(0, ranges.findLastIndex(isEmptyRange)), last: path.length - 1 };
  const variants: TypedWords[] = [];
  for (const { at, count, by } of listCorrections(terms, words, places)) {
    const isEnd = at + count === words.length;
    const laterRanges = [...findWordRanges(terms, by, isEnd), ...ranges.slice(at + count)];
    const node = followRanges(trie, path[at] ?? null, laterRanges);
    if (node === null) continue;
    variants.push({ words: words.toSpliced(at, count, ...by), node });
    if (variants.length === MAX_VARIANTS) break;
  }
  return variants;
}

/** @param isEnd whether the last word may be a prefix */
function findWordRanges(terms: OpenTerms, words: readonly string[], isEnd = true): WordRange[] {
  return words.map((word, i) => {
    if (isEnd && i === words.length - 1) {
      const [from, to] = findStringRange(terms.vocabulary.words, word);
      return { from, to };
    }
    const ordinal = terms.lexicon.findWord(word);
    return ordinal === NONE ? { from: 0, to: 0 } : { from: ordinal, to: ordinal + 1 };
  });
}

/** Finds the nodes of the labels that continue the words before each place; null at the first. */
function findCompletionPath(trie: SequenceTrie, ranges: readonly WordRange[]): (TrieNode | null)[] {
  const path: (TrieNode | null)[] = [null];
  for (const range of ranges.slice(0, -1)) {
    const node = followRanges(trie, path.at(-1) ?? null, [range]);
    if (node === null) break;
    path.push(node);
  }
  return path;
}

/** @param from null for the root @returns null if no label continues with these ranges */
function followRanges(trie: SequenceTrie, from: TrieNode | null, ranges: readonly WordRange[]): TrieNode | null {
  if (ranges.some(isEmptyRange)) return null;
  let node = from;
  for (const range of ranges) {
    node = node === null ? enterTrie(trie, range.from, range.to) : descendTrie(trie, node, range.from, range.to);
    if (node.low >= node.high) return null;
  }
  return node;
}

const isEmptyRange = ({ from, to }: WordRange): boolean => from === to;

/** Lists labels that continue the typed words, best first; ties in alphabetical order. A block of
 *  entries without a better one is skipped, so a prefix of one letter costs hardly more than a
 *  word.
 *  Shape: `rank` is 0 to 255; from 128 on, the label itself begins with the words. */
export function completeWords(
  { completions: { trie, rank, blockRank } }: OpenTerms,
  { node: { low, high } }: TypedWords,
  { limit, accepts }: { readonly limit: number; accepts(label: number): boolean },
): { label: number; rank: number }[] {
  const best: number[] = [];
  const add = (entry: number) => {
    let at = best.length;
    while (at > 0 && rank[best[at - 1]!]! < rank[entry]!) at--;
    if (at >= limit || !accepts(trie.owner[entry]!)) return;
    best.splice(at, 0, entry);
    if (best.length > limit) best.pop();
  };
  for (let entry = low; entry < high; ) {
    const blockEnd = Math.min(high, (Math.floor(entry / BLOCK_SIZE) + 1) * BLOCK_SIZE);
    const worst = best.length < limit ? -1 : rank[best[limit - 1]!]!;
    if (blockRank[Math.floor(entry / BLOCK_SIZE)]! > worst) {
      for (; entry < blockEnd; entry++) add(entry);
    }
    entry = blockEnd;
  }
  return best.map((entry) => ({ label: trie.owner[entry]!, rank: rank[entry]! }));
}

/** Replaces `count` words from the place `at` on by other words. */
type Correction = { readonly at: number; readonly count: number; readonly by: readonly string[] };

/** A shorter word has too many typos, unless other words tell which fits. */
const MIN_TYPO_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Lists corrections at the given places: first words with typos, then misplaced spaces. */
function* listCorrections(
  terms: OpenTerms,
  words: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): Generator<Correction> {
  const isAlone = words.length === 1;
  for (let at = first; at <= last; at++) {
    const word = words[at]!;
    const near = findLabelTypos(terms, word).map((ordinal) => terms.lexicon.words[ordinal]!);
    const isPrefix = at === words.length - 1 && !(isAlone && word.length < MIN_TYPO_LENGTH);
    const prefixes = isPrefix ? listPrefixTypos(terms, word) : [];
    const short = !isAlone && word.length < MIN_TYPO_LENGTH ? listShortTypos(terms, word) : [];
    for (const corrected of new Set([...near, ...prefixes, ...short])) yield { at, count: 1, by: [corrected] };
  }
  // A space belongs to two words.
  const lastBlank = Math.min(last, words.length - 2);
  for (let at = Math.max(0, first - 1); at <= lastBlank; at++) yield* listMovedBlanks(words, at);
}

/** Corrects a space that separates a letter from its word (`projec tplan`), or is superfluous. */
function* listMovedBlanks(words: readonly string[], at: number): Generator<Correction> {
  const left = words[at]!;
  const right = words[at + 1]!;
  const replaceBoth = (...by: string[]) => ({ at, count: 2, by });
  if (left.length > 1) yield replaceBoth(left.slice(0, -1), left.slice(-1) + right);
  if (right.length > 1) yield replaceBoth(left + right.slice(0, 1), right.slice(1));
  yield replaceBoth(left + right);
}

/** Lists the words one edit away from a word that is too short for the typo table. */
function listShortTypos({ lexicon }: OpenTerms, word: string): string[] {
  const longer = LETTERS.split('').map((letter) => word + letter);
  return [...listEdits(word, word.length), ...longer].filter(
    (edit) => edit !== word && lexicon.findWord(edit) !== NONE,
  );
}

/** Lists the beginnings of words one edit away from a typed one. Edits are tried only as long as
 *  the typed word is a prefix of some word. */
function listPrefixTypos({ lexicon }: OpenTerms, typed: string): string[] {
  // Strings are compared, as encoding hundreds of prefixes for a string table is slower.
  const isBeginning = (text: string) => {
    const first = bisect(0, lexicon.words.length, (index) => lexicon.words[index]! < text);
    return lexicon.words[first]?.startsWith(text) ?? false;
  };
  let places = 0;
  while (places < typed.length && isBeginning(typed.slice(0, places))) places++;
  return [...new Set(listEdits(typed, places))].filter((edit) => edit !== typed && edit !== '' && isBeginning(edit));
}

/** Deletes, swaps with the next, replaces or inserts a letter, at the first places. */
function listEdits(text: string, places: number): string[] {
  const edits: string[] = [];
  for (let i = 0; i < places; i++) {
    const head = text.slice(0, i);
    const tail = text.slice(i + 1);
    edits.push(head + tail);
    if (tail !== '') edits.push(head + tail[0] + text[i] + tail.slice(1));
    for (const letter of LETTERS) edits.push(head + letter + tail, head + letter + text.slice(i));
  }
  return edits;
}
