import type { OpenTerms } from '../concept-view.ts';
import type { ContentWords } from '../lexicon.ts';

/** The words of a window as one language reads them. */
export interface WindowContent extends ContentWords {
  readonly lang: number;
  readonly inCapitals: ReadonlySet<string>;
}

/** Whether a label of which a window has one word is named by it: by the word itself and not only its stem (`milk` is not
 *  milking), an acronym in capitals (`cat` is not computer-assisted translation).
 *  @param hasWord whether the ordinal is of such a word */
export function isNamedBy(
  { labels, lexicon }: OpenTerms,
  label: number,
  { inCapitals, hasWord }: { inCapitals: ReadonlySet<string>; hasWord: (word: number) => boolean },
): boolean {
  for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
    const word = labels.words[at]!;
    if (labels.isAcronym[at] === 1 ? inCapitals.has(lexicon.words[word]!) : hasWord(word)) return true;
  }
  return false;
}
