import type { OpenTerms } from '../concept-view.ts';
import { labelRoles, NONE } from '../term-data.ts';

/** Languages beyond this many are taken for the last. */
const BITS = 31;

/** Tells which languages words are from, by the labels that have them. */
export function createLanguageGuess({ labels, vocabulary, lexicon }: OpenTerms) {
  const langsOf = new Uint32Array(lexicon.words.length);
  for (let label = 0; label < labels.conceptOf.length; label++) {
    if (labels.roleOf[label] === labelRoles.phrase) continue;
    const bit = 1 << Math.min(labels.langOf[label]!, BITS);
    for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++)
      langsOf[labels.words[at]!]! |= bit;
  }

  /** Ordinals of the languages that have the most of the words; all when none has any. */
  return (words: readonly string[]): ReadonlySet<number> => {
    const counts = vocabulary.langs.map(() => 0);
    for (const word of words) {
      const ordinal = lexicon.findWord(word);
      if (ordinal === NONE) continue;
      for (let lang = 0; lang < counts.length; lang++) {
        if (langsOf[ordinal]! & (1 << Math.min(lang, BITS))) counts[lang]!++;
      }
    }
    const most = Math.max(...counts);
    return new Set(counts.flatMap((count, lang) => (count === most ? [lang] : [])));
  };
}
