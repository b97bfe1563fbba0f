import { findStringRange } from '#engine/string-table';
import type { OpenTerms } from '../concept-view.ts';
import { descendTrieBetween, enterTrieBetween, type TrieNode } from '../sequence-trie.ts';
import { type CompletionTable, NONE, type SequenceTrie } from '../term-data.ts';
import { BLOCK_SIZE } from './build-completions.ts';
import { listCorrections } from './corrections.ts';

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
