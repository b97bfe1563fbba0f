import { tokenize } from '#engine/text/tokenize';
import type { OpenPhrase, SuggestPhrase } from '../types.ts';
import { rankCompletion } from './build-completions.ts';

/** Phrases that no index has, as they are compared. */
export function openPhrases(phrases: readonly SuggestPhrase[]): readonly OpenPhrase[] {
  return phrases.map(({ text, weight }) => ({ text, weight, words: tokenize(text) }));
}

/** Those that go on as typed, from any of their words; the last typed word may be the beginning of one.
 *  Shape: `rank` 0 to 255, as of what the index completes. */
export function completePhrases(
  phrases: readonly OpenPhrase[],
  typed: readonly string[],
): readonly { readonly text: string; readonly rank: number }[] {
  return phrases.flatMap(({ text, weight, words }) => {
    const from = words.findIndex((_, i) => goesOn(words, i, typed));
    if (from < 0) return [];
    return [{ text, rank: rankCompletion({ weight, wordCount: words.length, isBeginning: from === 0 }) }];
  });
}

function goesOn(words: readonly string[], from: number, typed: readonly string[]): boolean {
  return typed.every((word, i) => {
    const said = words[from + i];
    return i < typed.length - 1 ? said === word : said?.startsWith(word) === true;
  });
}
