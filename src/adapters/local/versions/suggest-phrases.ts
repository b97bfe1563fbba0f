import type { LearningObjectRecord } from '#adapters/catalog/catalog-schema';
import type { SuggestPhrase } from '#engine/terms/types';

/** More would make completions slow and bring nothing: nobody sees beyond the first ten. */
const MAX_PHRASES = 150_000;

/** What of an object is completed while it is typed. */
export function listSuggestPhrases(
  record: Pick<LearningObjectRecord, 'title' | 'keywords' | 'lang' | 'popularity'>,
): readonly SuggestPhrase[] {
  const { title, keywords, lang, popularity } = record;
  const ofKeywords = keywords.map((text) => ({ text, lang, weight: 0.5 + 0.5 * popularity }));
  return [{ text: title, lang, weight: 0.5 * popularity }, ...ofKeywords];
}

/** Titles and keywords for autocompletion, popular objects first. Of very many, those of the most popular objects stay. */
export function createPhraseList(max = MAX_PHRASES) {
  let phrases: SuggestPhrase[] = [];
  const prune = () => {
    // The sort is stable: equal ones stay in order, the same on every host.
    phrases = phrases.sort((a, b) => b.weight - a.weight).slice(0, max);
  };
  return {
    add(record: LearningObjectRecord): void {
      phrases.push(...listSuggestPhrases(record));
      if (phrases.length > 2 * max) prune();
    },
    finish(): readonly SuggestPhrase[] {
      if (phrases.length > max) prune();
      return phrases;
    },
  };
}
