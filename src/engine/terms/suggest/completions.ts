import { createGrowableUint32 } from '#engine/arrays';
import { isStopword } from '#engine/text/stopwords';
import { tokenize } from '#engine/text/tokenize';
import { buildSequenceTrie } from '../sequence-trie.ts';
import { type CompletionTable, type LabelTable, labelRoles } from '../term-data.ts';
import type { OpenPhrase, SuggestPhrase } from '../types.ts';

/** Entries of a block, which is read as a whole or skipped by its best rank. */
export const BLOCK_SIZE = 64;
/** The most later words of a label that can be completed, as people begin with one of the first. */
const MAX_LATER_WORDS = 7;
/** The beginning of a label always ranks above a later word. */
const BEGINNING_RANKS = { from: 128, to: 255 };
const LATER_RANKS = { from: 1, to: 100 };
/** Each further word of a label reduces its rank by this share. */
const LENGTH_DAMPING = 0.06;

/** Builds an entry for each word of a label or phrase that people may begin with. */
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
  const rank = Uint8Array.from(trie.owner, (label, entry) => rankCompletionEntry(labels, label, trie.begin[entry]!));
  return { trie, rank, blockRank: findBlockRanks(rank) };
}

function rankCompletionEntry(labels: LabelTable, label: number, at: number): number {
  const start = labels.wordStart[label]!;
  const wordCount = labels.wordStart[label + 1]! - start;
  return rankCompletion(labels.weightOf[label]! / 255, wordCount, at === start ? BEGINNING_RANKS : LATER_RANKS);
}

/** Ranks a text that continues the typed words, 0 to 255. @param weight how likely people want it
 *  @param ranks BEGINNING_RANKS if the text itself begins as typed, else LATER_RANKS */
function rankCompletion(weight: number, wordCount: number, ranks: typeof LATER_RANKS): number {
  const quality = weight / (1 + LENGTH_DAMPING * (wordCount - 1));
  return Math.round(ranks.from + quality * (ranks.to - ranks.from));
}

function findBlockRanks(rank: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: Math.ceil(rank.length / BLOCK_SIZE) }, (_, block) =>
    Math.max(...rank.subarray(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE)),
  );
}

/** Prepares phrases that are not in the index for `listPhraseCompletions`. */
export function openPhrases(phrases: readonly SuggestPhrase[]): readonly OpenPhrase[] {
  return phrases.map(({ text, weight }) => ({ text, weight, words: tokenize(text) }));
}

/** Lists the phrases that continue the typed words, from any of their words on; the last typed word
 *  may be a prefix. Shape: `rank` is 0 to 255, comparable with those of the index. */
export function listPhraseCompletions(
  phrases: readonly OpenPhrase[],
  typed: readonly string[],
): readonly { readonly text: string; readonly rank: number }[] {
  return phrases.flatMap(({ text, weight, words }) => {
    const from = words.findIndex((_, i) => continuesTyped(words, i, typed));
    if (from < 0) return [];
    return [{ text, rank: rankCompletion(weight, words.length, from === 0 ? BEGINNING_RANKS : LATER_RANKS) }];
  });
}

function continuesTyped(words: readonly string[], from: number, typed: readonly string[]): boolean {
  return typed.every((word, i) => {
    const next = words[from + i];
    return i < typed.length - 1 ? next === word : next?.startsWith(word) === true;
  });
}
