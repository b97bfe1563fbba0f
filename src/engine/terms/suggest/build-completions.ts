import { createGrowableUint8, createGrowableUint32 } from '#engine/arrays';
import { isStopword } from '#engine/text/stopwords';
import { buildSequenceTrie } from '../sequence-trie.ts';
import { type CompletionTable, type LabelTable, labelRoles } from '../term-data.ts';

/** Entries of one block: small enough to read when its best rank is good enough, many enough to skip when not. */
export const BLOCK_SIZE = 64;
/** People begin to type at one of the first words. */
const MAX_LATER_WORDS = 7;
/** A completion of the beginning of a label always ranks above one of a later word: 128 to 255 against 1 to 100. */
const BEGINNING_RANKS = { from: 128, to: 255 };
const LATER_RANKS = { from: 1, to: 100 };
/** How much a further word makes a label a worse guess. */
const LENGTH_DAMPING = 0.06;

/** Every label and phrase, as often as it has words one may begin with. */
export function buildCompletions(
  labels: LabelTable,
  words: readonly string[],
  langs: readonly string[],
): CompletionTable {
  const begin = createGrowableUint32();
  const owner = createGrowableUint32();
  for (let label = 0; label < labels.conceptOf.length; label++) {
    const role = labels.roleOf[label]!;
    if (role === labelRoles.variant || role === labelRoles.alternativeVariant) continue;
    const start = labels.wordStart[label]!;
    const end = Math.min(labels.wordStart[label + 1]!, start + 1 + MAX_LATER_WORDS);
    for (let at = start; at < end; at++) {
      if (at > start && isStopword(words[labels.words[at]!]!, langs[labels.langOf[label]!])) continue;
      begin.push(at);
      owner.push(label);
    }
  }
  const trie = buildSequenceTrie({
    values: labels.words,
    ownerStart: labels.wordStart,
    begin: begin.finish(),
    owner: owner.finish(),
    valueCount: words.length,
  });
  const rank = Uint8Array.from(trie.owner, (label, entry) => rankOf(labels, label, trie.begin[entry]!));
  return { trie, rank, blockRank: bestOfBlocks(rank) };
}

function rankOf(labels: LabelTable, label: number, at: number): number {
  const start = labels.wordStart[label]!;
  const wordCount = labels.wordStart[label + 1]! - start;
  return rankCompletion({ weight: labels.weightOf[label]! / 255, wordCount, isBeginning: at === start });
}

export interface CompletedText {
  /** 0 to 1: how likely people want it. */
  readonly weight: number;
  readonly wordCount: number;
  /** Whether it begins as typed, not only one of its later words. */
  readonly isBeginning: boolean;
}

/** 0 to 255. */
export function rankCompletion({ weight, wordCount, isBeginning }: CompletedText): number {
  const quality = weight / (1 + LENGTH_DAMPING * (wordCount - 1));
  const { from, to } = isBeginning ? BEGINNING_RANKS : LATER_RANKS;
  return Math.round(from + quality * (to - from));
}

function bestOfBlocks(rank: Uint8Array): Uint8Array {
  const best = createGrowableUint8();
  for (let from = 0; from < rank.length; from += BLOCK_SIZE) {
    best.push(Math.max(...rank.subarray(from, from + BLOCK_SIZE)));
  }
  return best.finish();
}
