import { prefixRange } from '../string-table.ts';
import { BLOCK_SIZE } from './build-completions.ts';
import type { OpenTerms } from './concept-view.ts';
import { descend, descendBetween, enterTrie, enterTrieBetween, type TrieNode } from './sequence-trie.ts';
import { type CompletionTable, NONE } from './term-data.ts';

/** Words that were typed, with the last one begun: ordinals of the full words, and the range the last one begins. */
export interface TypedWords {
  readonly full: readonly number[];
  readonly lastFrom: number;
  readonly lastTo: number;
  /** The words as understood; the last is as typed or corrected. */
  readonly words: readonly string[];
}

const MAX_VARIANTS = 24;
const MIN_TYPO_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The words as typed, or null when a full word is unknown or nothing begins like the last one. */
export function readTyped({ lexicon, vocabulary }: OpenTerms, words: readonly string[]): TypedWords | null {
  const full = words.slice(0, -1).map((word) => lexicon.findWord(word));
  const [lastFrom, lastTo] = prefixRange(vocabulary.words, words.at(-1) ?? '');
  return full.includes(NONE) || lastFrom === lastTo ? null : { full, lastFrom, lastTo, words };
}

/** The same words with one typo taken back, in each way that gives known words; the last word may be a beginning. */
export function readWithOneTypo(terms: OpenTerms, words: readonly string[]): TypedWords[] {
  const variants = words.flatMap((word, i) => {
    const isLast = i === words.length - 1;
    const others = isLast ? nearBeginnings(terms, word) : [];
    const near = terms.spelling.findTypos(word).map((found) => terms.lexicon.words[found]!);
    return [...new Set([...near, ...others])].map((other) => words.with(i, other));
  });
  return variants.flatMap((variant) => readTyped(terms, variant) ?? []).slice(0, MAX_VARIANTS);
}

/** Beginnings of known words that are one edit away. An edit after the point where the typed word stops being the
 *  beginning of any word cannot help, so only the places before it are tried. */
function nearBeginnings({ lexicon }: OpenTerms, typed: string): string[] {
  if (typed.length < MIN_TYPO_LENGTH) return [];
  const isBeginning = (text: string) => isBeginningOfAny(lexicon.words, text);
  const found = new Set<string>();
  for (let i = 0; i < typed.length && isBeginning(typed.slice(0, i)); i++) {
    const head = typed.slice(0, i);
    const tail = typed.slice(i + 1);
    const edits = [
      head + tail,
      ...LETTERS.split('').flatMap((letter) => [head + letter + tail, head + letter + typed.slice(i)]),
    ];
    if (tail !== '') edits.push(head + tail[0] + typed[i] + tail.slice(1));
    for (const edit of edits) if (edit !== typed && isBeginning(edit)) found.add(edit);
  }
  return [...found];
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
  { full, lastFrom, lastTo }: TypedWords,
  limit: number,
): { label: number; rank: number }[] {
  const { trie } = completions;
  const [first, ...rest] = full;
  if (first === undefined) return bestEntries(completions, enterTrieBetween(trie, lastFrom, lastTo), limit);
  let node = enterTrie(trie, first);
  for (const word of rest) node = descend(trie, node, word);
  node = descendBetween(trie, node, lastFrom, lastTo);
  return bestEntries(completions, node, limit);
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
