import { fold } from '../../engine/text/fold.ts';

const WORD = /[\p{L}\p{N}]+/gu;

/** What was typed with the words that were taken for others, written as in the texts of what was found, so with accents.
 *  @param corrections by folded words
 *  @param texts titles, say */
export function correctedWords(
  keywords: string,
  corrections: ReadonlyMap<string, string>,
  texts: readonly string[],
): string {
  const written = texts.flatMap((text) => text.toLowerCase().match(WORD) ?? []);
  const asWritten = (word: string) => written.find((one) => fold(one) === word) ?? word;
  return keywords.replace(WORD, (word) => {
    const meant = corrections.get(fold(word));
    return meant === undefined ? word : asWritten(meant);
  });
}
