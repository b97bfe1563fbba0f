import type { OpenTerms } from '../concept-view.ts';
import type { TermMeaning } from '../label-meaning.ts';
import { createMeantFinder } from './meaning.ts';
import type { Span } from './read-text.ts';
import { LEAST_MEANT_GUESS, LEAST_SHARE_OF_BEST, weighMeantTag } from './tag-weights.ts';

/** A tag as answers show it. */
export interface FoundTag {
  readonly concept: number;
  /** 0 to 1. */
  readonly score: number;
  readonly span: Span | null;
}

interface MeantText {
  /** Guesses by words. */
  readonly byWords: readonly FoundTag[];
  readonly text: string;
  /** Ordinals; -1 for any source. */
  readonly lang: number;
  readonly source: number;
  /** Whether guesses get the span of their nearest words. */
  readonly spans: boolean;
  /** Minimum score of the best guess; below it there are no guesses. */
  readonly leastBest: number;
}

/** Joins the guesses by words with those by meaning, with one score for both, best first.
 *  Shape: empty if no guess is sure enough. */
export function createMeantJoiner(terms: OpenTerms, meaning: TermMeaning) {
  const findMeant = createMeantFinder(terms, meaning);

  return ({ byWords, text, lang, source, spans, leastBest }: MeantText): FoundTag[] => {
    const tagsByConcept = new Map(byWords.map((tag) => [tag.concept, tag]));
    const result = findMeant({
      text,
      lang,
      source: source < 0 ? undefined : source,
      named: [...tagsByConcept.keys()],
    });
    if (result.length === 0) return [...byWords];
    const tags = result.map(({ concept, preferred, best, span }): FoundTag => {
      const tag = tagsByConcept.get(concept);
      const score = weighMeantTag({ preferred, best, words: tag?.score ?? 0 });
      return { concept, score, span: tag?.span ?? (spans ? span : null) };
    });
    const highest = Math.max(...tags.map(({ score }) => score));
    if (highest < leastBest) return [];
    const least = Math.max(LEAST_MEANT_GUESS, LEAST_SHARE_OF_BEST * highest);
    for (const { concept } of result) tagsByConcept.delete(concept);
    // Trades and groups are not compared with sentences, so their score comes from words alone.
    const others = Array.from(
      tagsByConcept.values(),
      (tag): FoundTag => ({
        ...tag,
        score: weighMeantTag({ preferred: 0, best: 0, words: tag.score }),
      }),
    );
    return [...tags.filter(({ score }) => score >= least), ...others].sort(
      (a, b) => b.score - a.score || a.concept - b.concept,
    );
  };
}
