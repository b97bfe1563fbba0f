import { fold } from '../../text/fold.ts';
import { findConceptLabel, type OpenTerms, readConceptLabelText } from '../concept-view.ts';
import type { TextMeaning } from '../types.ts';
import type { Span } from './locate-words.ts';
import { createMeantFinder, type MeantConcept } from './meaning.ts';
import { LEAST_MEANT, LEAST_MEANT_GUESS, LEAST_SHARE_OF_BEST, weighMeantTag } from './tag-weights.ts';
import { listSentences } from './windows.ts';

/** What is shown of a tag. */
export interface FoundTag {
  readonly concept: number;
  /** 0 to 1. */
  readonly score: number;
  readonly span: Span | null;
}

interface MeantText {
  /** What is shown without meaning, best first. */
  readonly byWords: readonly FoundTag[];
  /** All that words have found, also without evidence. */
  readonly named: readonly FoundTag[];
  /** Concepts of which it has been judged whether the text has evidence for them. */
  readonly judged: readonly number[];
  readonly text: string;
  /** Ordinals; -1 for any source. */
  readonly lang: number;
  readonly source: number;
  readonly guesses: boolean;
}

/** Joins the tags that words give with those that a text means: one score of both. With guesses, all are in its order; without, the
 *  tags that have evidence stay as they are, and behind them come those that it is sure of by meaning alone. */
export function createMeantAdder(terms: OpenTerms) {
  const findMeant = createMeantFinder(terms);
  // Another taxonomy may have what was judged as well.
  const nameOf = (concept: number, lang: number) =>
    fold(readConceptLabelText(terms, findConceptLabel(terms, concept, terms.vocabulary.langs[lang] ?? '')));

  /** What a text means that its words do not say: what they do say has been judged by its evidence. Of one place, the best.
   *  Shape: best first. */
  function chooseSure(ranked: readonly FoundTag[], { byWords, judged, lang }: MeantText): FoundTag[] {
    const sure = ranked.filter(({ score }) => score >= LEAST_MEANT);
    if (sure.length === 0) return [];
    const names = new Set(judged.map((concept) => nameOf(concept, lang)));
    const taken = byWords.flatMap(({ span }) => (span === null ? [] : [span]));
    return sure.filter(({ concept, span }) => {
      if (span === null || names.has(nameOf(concept, lang))) return false;
      if (taken.some(([start, end]) => start < span[1] && span[0] < end)) return false;
      taken.push(span);
      return true;
    });
  }

  return (meaning: TextMeaning, meant: MeantText): FoundTag[] => {
    const { byWords, named, text, lang, source, guesses } = meant;
    const scores = new Map(named.map(({ concept, score }) => [concept, score]));
    const found = findMeant(meaning, {
      sentences: listSentences(text),
      lang,
      source: source < 0 ? undefined : source,
      named: [...scores.keys()],
    });
    if (found.length === 0) return [...byWords];
    const ranked = found
      .map((one) => toFoundTag(one, scores.get(one.concept) ?? 0))
      .sort((a, b) => b.score - a.score || a.concept - b.concept);
    if (!guesses) return [...byWords, ...chooseSure(ranked, meant)];
    const spans = new Map(byWords.map(({ concept, span }) => [concept, span]));
    const known = new Set(found.map(({ concept }) => concept));
    // Trades and groups, which no sentence is compared with, count by their words alone.
    const others = byWords
      .filter(({ concept }) => !known.has(concept))
      .map(({ concept, score, span }) => ({
        concept,
        score: weighMeantTag({ preferred: 0, best: 0, words: score }),
        span,
      }));
    const least = Math.max(LEAST_MEANT_GUESS, LEAST_SHARE_OF_BEST * (ranked[0]?.score ?? 0));
    const guessed = ranked.filter(({ score }) => score >= least);
    return [...guessed.map((tag) => ({ ...tag, span: spans.get(tag.concept) ?? null })), ...others].sort(
      (a, b) => b.score - a.score || a.concept - b.concept,
    );
  };
}

function toFoundTag({ concept, preferred, best, span }: MeantConcept, words: number): FoundTag {
  return { concept, score: weighMeantTag({ preferred, best, words }), span };
}
