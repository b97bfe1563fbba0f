import { findStringRange } from '#engine/string-table';
import type { OpenTerms } from '../concept-view.ts';
import { descendTrieBetween, enterTrieBetween, type TrieNode } from '../sequence-trie.ts';
import { type CompletionTable, NONE, type SequenceTrie } from '../term-data.ts';
import { BLOCK_SIZE } from './completions.ts';

/** Words that labels go on like, the last one begun. */
export interface TypedWords {
  /** As understood; the last is as typed or corrected. */
  readonly words: readonly string[];
  /** All labels that go on so; never empty. */
  readonly node: TrieNode;
}

/** Half-open range of the ordinals that a word may stand for; empty for one that no label has. */
interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** Corrected readings that some label goes on like. */
const MAX_VARIANTS = 24;

/** The words as typed, or null when no label goes on so. */
export function readWordsToComplete(terms: OpenTerms, words: readonly string[]): TypedWords | null {
  const node = follow(terms.completions.trie, null, rangesOf(terms, words));
  return node === null ? null : { words, node };
}

/** The same words with one typo taken back, in each way that a label goes on like; the last word may be a beginning.
 *  Words before the typo must go on so as they are, and words after it must be known: most words cannot be the wrong one. */
export function readWithOneTypo(terms: OpenTerms, words: readonly string[]): TypedWords[] {
  const { trie } = terms.completions;
  const ranges = rangesOf(terms, words);
  const path = pathOf(trie, ranges);
  const places = { first: Math.max(0, ranges.findLastIndex(isEmpty)), last: path.length - 1 };
  const found: TypedWords[] = [];
  for (const { at, count, by } of listCorrections(terms, words, places)) {
    const isEnd = at + count === words.length;
    const rest = [...rangesOf(terms, by, isEnd), ...ranges.slice(at + count)];
    const node = follow(trie, path[at] ?? null, rest);
    if (node === null) continue;
    found.push({ words: words.toSpliced(at, count, ...by), node });
    if (found.length === MAX_VARIANTS) break;
  }
  return found;
}

/** By word; the last is only begun, unless others come after it. */
function rangesOf(terms: OpenTerms, words: readonly string[], isEnd = true): WordRange[] {
  return words.map((word, i) => {
    if (isEnd && i === words.length - 1) {
      const [from, to] = findStringRange(terms.vocabulary.words, word);
      return { from, to };
    }
    const found = terms.lexicon.findWord(word);
    return found === NONE ? { from: 0, to: 0 } : { from: found, to: found + 1 };
  });
}

/** For each place, the node of labels that go on like the words before it, as far as there are any; null before the first. */
function pathOf(trie: SequenceTrie, ranges: readonly WordRange[]): (TrieNode | null)[] {
  const path: (TrieNode | null)[] = [null];
  for (const range of ranges.slice(0, -1)) {
    const node = follow(trie, path.at(-1) ?? null, [range]);
    if (node === null) break;
    path.push(node);
  }
  return path;
}

/** The node of all labels that go on so, from the root for null; null when none does. */
function follow(trie: SequenceTrie, from: TrieNode | null, ranges: readonly WordRange[]): TrieNode | null {
  if (ranges.some(isEmpty)) return null;
  let node = from;
  for (const range of ranges) {
    node =
      node === null
        ? enterTrieBetween(trie, range.from, range.to)
        : descendTrieBetween(trie, node, range.from, range.to);
    if (node.low >= node.high) return null;
  }
  return node;
}

function isEmpty({ from, to }: WordRange): boolean {
  return from === to;
}

/** Labels that go on like the typed words, best first by their rank.
 *  Shape: `label`, and `rank` 0 to 255 (128 and more: the label itself begins so). */
export function completeWords(
  { completions }: OpenTerms,
  typed: TypedWords,
  limit: number,
): { label: number; rank: number }[] {
  return bestEntries(completions, typed.node, limit);
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

/** Words put in the place of `count` of those typed. */
interface Correction {
  readonly at: number;
  readonly count: number;
  readonly by: readonly string[];
}

/** A shorter word by itself may be meant for too many; beside others these tell. */
const MIN_TYPO_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Words exchanged in the given places, then blanks moved there. */
function* listCorrections(
  terms: OpenTerms,
  words: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): Generator<Correction> {
  const isInCompany = words.length > 1;
  for (let at = first; at <= last; at++) {
    const word = words[at]!;
    const near = terms.spelling.findTypos(word).map((found) => terms.lexicon.words[found]!);
    const others = at === words.length - 1 ? nearBeginnings(terms, word, isInCompany) : [];
    const short = isInCompany && word.length < MIN_TYPO_LENGTH ? nearShortWords(terms, word) : [];
    for (const other of new Set([...near, ...others, ...short])) yield { at, count: 1, by: [other] };
  }
  // A blank takes the word after it along.
  const lastBlank = Math.min(last, words.length - 2);
  for (let at = Math.max(0, first - 1); at <= lastBlank; at++) yield* movedBlanks(words, at);
}

/** A letter on the wrong side of the blank after a word, the blank left out, and one typed in its place: `projec tplan`. */
function* movedBlanks(words: readonly string[], at: number): Generator<Correction> {
  const left = words[at]!;
  const right = words[at + 1]!;
  const replaceBoth = (...by: string[]) => ({ at, count: 2, by });
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
