import type { SuggestPhrase } from '../../engine/terms/types.ts';
import type { LearningObjectRecord } from '../catalog/catalog-schema.ts';

/** More would make completions slow and bring nothing: nobody sees beyond the first ten. */
const MAX_PHRASES = 150_000;

/** Titles and keywords for autocompletion, known objects first. Of very many those of the best known objects stay. */
export function createPhraseList(max = MAX_PHRASES) {
  let phrases: SuggestPhrase[] = [];
  const prune = () => {
    // The sort is stable: what is equal stays in its order, the same on every host.
    phrases = phrases.sort((a, b) => b.weight - a.weight).slice(0, max);
  };
  return {
    add({ title, keywords, lang, popularity }: LearningObjectRecord): void {
      phrases.push({ text: title, lang, weight: 0.5 * popularity });
      for (const text of keywords) phrases.push({ text, lang, weight: 0.5 + 0.5 * popularity });
      if (phrases.length > 2 * max) prune();
    },
    finish(): readonly SuggestPhrase[] {
      if (phrases.length > max) prune();
      return phrases;
    },
  };
}
