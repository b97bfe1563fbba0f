import { prefixRange } from '../string-table.ts';
import { BLOCK_SIZE } from './build-completions.ts';
import type { OpenTerms } from './concept-view.ts';
import { descend, descendBetween, enterTrie, enterTrieBetween, type TrieNode } from './sequence-trie.ts';
import { type CompletionTable, NONE, type SequenceTrie } from './term-data.ts';

/** Words that were typed, with the last one begun: ordinals of the full words, and the range the last one begins. */
export interface TypedWords {
  readonly full: readonly number[];
  readonly lastFrom: number;
  readonly lastTo: number;
  /** The words as understood; the last is as typed or corrected. */
  readonly words: readonly string[];
}

/** Corrected readings that something goes on like. */
const MAX_VARIANTS = 24;
/** A shorter word by itself may be meant for too many; beside others these tell. */
const MIN_TYPO_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The words as typed, or null when a full word is unknown or nothing begins like the last one. */
export function readTyped({ lexicon, vocabulary }: OpenTerms, words: readonly string[]): TypedWords | null {
  const full = words.slice(0, -1).map((word) => lexicon.findWord(word));
  if (full.includes(NONE)) return null;
  const [lastFrom, lastTo] = prefixRange(vocabulary.words, words.at(-1) ?? '');
  return lastFrom === lastTo ? null : { full, lastFrom, lastTo, words };
}

/** The same words with one typo taken back, in each way that a label goes on like; the last word may be a beginning. */
export function readWithOneTypo(terms: OpenTerms, words: readonly string[]): TypedWords[] {
  const found: TypedWords[] = [];
  for (const variant of correctedWords(terms, words)) {
    const typed = readTyped(terms, variant);
    if (typed === null || isEmptyNode(enterWords(terms.completions.trie, typed))) continue;
    found.push(typed);
    if (found.length === MAX_VARIANTS) break;
  }
  return found;
}

function* correctedWords(terms: OpenTerms, words: readonly string[]): Generator<string[]> {
  for (const [i, word] of words.entries()) {
    const near = terms.spelling.findTypos(word).map((found) => terms.lexicon.words[found]!);
    const others = i === words.length - 1 ? nearBeginnings(terms, word, words.length > 1) : [];
    const short = words.length > 1 && word.length < MIN_TYPO_LENGTH ? nearShortWords(terms, word) : [];
    for (const other of new Set([...near, ...others, ...short])) yield words.with(i, other);
  }
  for (let i = 0; i + 1 < words.length; i++) yield* movedBlanks(words, i);
}

/** A letter on the wrong side of the blank after a word, the blank left out, and one typed in its place: `projec tplan`. */
function* movedBlanks(words: readonly string[], at: number): Generator<string[]> {
  const left = words[at]!;
  const right = words[at + 1]!;
  const replaceBoth = (...by: string[]) => words.toSpliced(at, 2, ...by);
  if (left.length > 1) yield replaceBoth(left.slice(0, -1), left.slice(-1) + right);
  if (right.length > 1) yield replaceBoth(left + right.slice(0, 1), right.slice(1));
  yield replaceBoth(left + right);
}

/** Known words one edit away from one too short for the table of typos. */
function nearShortWords({ lexicon }: OpenTerms, word: string): string[] {
  const longer = LETTERS.split('').map((letter) => word + letter);
  return [...editsOf(word, word.length), ...longer].filter(
    (edit) => edit !== word && lexicon.findWord(edit) !== NONE,
  );
}

/** Beginnings of known words that are one edit away. An edit after the point where the typed word stops being the
 *  beginning of any word cannot help, so only the places before it are tried. */
function nearBeginnings({ lexicon }: OpenTerms, typed: string, isInCompany: boolean): string[] {
  if (typed.length < (isInCompany ? 1 : MIN_TYPO_LENGTH)) return [];
  const isBeginning = (text: string) => isBeginningOfAny(lexicon.words, text);
  let places = 0;
  while (places < typed.length && isBeginning(typed.slice(0, places))) places++;
  return [...new Set(editsOf(typed, places))].filter(
    (edit) => edit !== typed && edit !== '' && isBeginning(edit),
  );
}

/** A text with one letter less, exchanged with the next, another, or more, at each of its first places. */
function editsOf(text: string, places: number): string[] {
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

/** Hundreds of beginnings are tried, so this compares strings, without encoding each for the string table. */
function isBeginningOfAny(sorted: readonly string[], text: string): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(text) ?? false;
}

/** Labels that go on like the typed words, best first by their rank.
 *  Shape: `label`, and `rank` 0 to 255 (128 and more: the label itself begins so). */
export function completeWords(
  { completions }: OpenTerms,
  typed: TypedWords,
  limit: number,
): { label: number; rank: number }[] {
  return bestEntries(completions, enterWords(completions.trie, typed), limit);
}

/** The node of all that goes on like the typed words. */
function enterWords(trie: SequenceTrie, { full, lastFrom, lastTo }: TypedWords): TrieNode {
  const [first, ...rest] = full;
  if (first === undefined) return enterTrieBetween(trie, lastFrom, lastTo);
  let node = enterTrie(trie, first);
  for (const word of rest) node = descend(trie, node, word);
  return descendBetween(trie, node, lastFrom, lastTo);
}

function isEmptyNode({ low, high }: TrieNode): boolean {
  return low >= high;
}

/** The entries of a range with the best ranks, ties in the order of the alphabet. A block whose best is no better than
 *  the worst entry kept is passed over, so a one-letter beginning costs hardly more than a whole word. */
function bestEntries({ trie, rank, blockRank }: CompletionTable, { low, high }: TrieNode, limit: number) {
  const kept: number[] = [];
  const add = (entry: number) => {
    let at = kept.length;
    while (at > 0 && rank[kept[at - 1]!]! < rank[entry]!) at--;
    if (at >= limit) return;
    kept.splice(at, 0, entry);
    if (kept.length > limit) kept.pop();
  };
  for (let entry = low; entry < high; ) {
    const blockEnd = Math.min(high, (Math.floor(entry / BLOCK_SIZE) + 1) * BLOCK_SIZE);
    const worst = kept.length < limit ? -1 : rank[kept[limit - 1]!]!;
    if (blockRank[Math.floor(entry / BLOCK_SIZE)]! > worst) {
      for (; entry < blockEnd; entry++) add(entry);
    }
    entry = blockEnd;
  }
  return kept.map((entry) => ({ label: trie.owner[entry]!, rank: rank[entry]! }));
}
