import { bisect, groupByKey } from '../arrays.ts';
import type { SequenceTrie } from './term-data.ts';

/** A range of entries whose first `depth` values are equal, end exclusive. */
export type TrieNode = { readonly low: number; readonly high: number; readonly depth: number };

/** The entries of a trie in any order; no sequence is empty. */
interface TrieInput extends Omit<SequenceTrie, 'first'> {
  /** A number that is greater than all values. */
  readonly valueCount: number;
}

/** Entry e is the sequence `values[begin[e] .. ownerStart[owner[e] + 1])`: all sequences of an
 *  owner, such as a label, end where the owner ends. Sorts them into buckets by their first value,
 *  then within each bucket. */
export function buildSequenceTrie({ values, ownerStart, begin, owner, valueCount }: TrieInput): SequenceTrie {
  const firstValues = begin.map((at) => values[at]!);
  const { start: first, values: order } = groupByKey(firstValues, valueCount);
  const compare = (a: number, b: number) => {
    let i = begin[a]! + 1;
    let j = begin[b]! + 1;
    const iEnd = findEntryEnd({ ownerStart, owner }, a);
    const jEnd = findEntryEnd({ ownerStart, owner }, b);
    for (; i < iEnd && j < jEnd; i++, j++) {
      const difference = values[i]! - values[j]!;
      if (difference !== 0) return difference;
    }
    return iEnd - i - (jEnd - j) || a - b;
  };
  for (let value = 0; value < valueCount; value++) {
    if (first[value + 1]! - first[value]! > 1) order.subarray(first[value], first[value + 1]).sort(compare);
  }
  return {
    values,
    ownerStart,
    begin: order.map((entry) => begin[entry]!),
    owner: order.map((entry) => owner[entry]!),
    first,
  };
}

/** Finds the entries that begin with a value, or with any of a range. */
export function enterTrie({ first }: SequenceTrie, from: number, to = from + 1): TrieNode {
  return { low: first[from]!, high: first[to]!, depth: 1 };
}

/** Finds the entries that continue with a value, or with any of a range; none if `low === high`. */
export function descendTrie(trie: SequenceTrie, node: TrieNode, from: number, to = from + 1): TrieNode {
  const low = lowerBoundInTrie(trie, node, from);
  const high = lowerBoundInTrie(trie, { ...node, low }, to);
  return { low, high, depth: node.depth + 1 };
}

/** Finds the end of the entries whose sequences end at a node, which are the first of its range. */
export function findTrieOwnersEnd(trie: SequenceTrie, { low, high, depth }: TrieNode): number {
  let entry = low;
  while (entry < high && findEntryEnd(trie, entry) - trie.begin[entry]! === depth) entry++;
  return entry;
}

function lowerBoundInTrie(trie: SequenceTrie, { low, high, depth }: TrieNode, value: number): number {
  const { values, begin } = trie;
  return bisect(low, high, (entry) => {
    const at = begin[entry]! + depth;
    // A sequence that ends here comes before those that continue.
    return at >= findEntryEnd(trie, entry) || values[at]! < value;
  });
}

function findEntryEnd({ ownerStart, owner }: Pick<TrieInput, 'ownerStart' | 'owner'>, entry: number): number {
  return ownerStart[owner[entry]! + 1]!;
}
