import { MAX_QUERY_WORDS } from '../query-words.ts';
import { OPEN_ELISION } from '../text/elision.ts';
import { fold } from '../text/fold.ts';
import { isStopword } from '../text/stopwords.ts';
import { tokenize } from '../text/tokenize.ts';
import { completeWords, readTyped, readWithOneTypo, type TypedWords } from './complete.ts';
import { type OpenTerms, preferredLabel, textOf } from './concept-view.ts';
import type { ConceptRanker } from './rank-concepts.ts';
import type { TermSuggestAnswer, TermSuggestion, TermSuggestQuery } from './types.ts';
import { SUGGEST_SIMILAR_FACTOR, SUGGEST_TYPO_FACTOR } from './weights.ts';

/** Entries read for each suggestion: many labels are the same text in two taxonomies. */
const ENTRIES_PER_SUGGESTION = 4;
/** How much of a completion's score depends on how much of it has been typed. */
const CLOSENESS_SHARE = 0.2;
/** What a label as good as typed is worth. */
const COMPLETE_SCORE = 1;
/** A last word that may be an article about to be elided: `gestion d`. */
const OPEN_ARTICLE = /^(?:[cdjlmnst]|qu)$/;

/** Complete the last word; where that finds too little, take back one typo, then offer terms that resemble the query. */
export function createSuggest(terms: OpenTerms, rank: ConceptRanker) {
  return ({ keywords, max }: TermSuggestQuery): TermSuggestAnswer => {
    const words = tokenize(keywords.replace(OPEN_ELISION, '$1')).slice(0, MAX_QUERY_WORDS);
    if (words.length === 0) return { keywordsTransformed: [], suggestions: [], quality: 'none' };
    const collector = createCollector(max);
    const typed = readTypedOrShorter(terms, words, (found) =>
      addCompletions(terms, found, { collector, factor: 1 }),
    );
    const isCompleted = collector.count() > 0;
    const corrected = isCompleted ? [] : readWithOneTypo(terms, words);
    let used: readonly string[] | null = isCompleted ? typed : null;
    for (const variant of corrected) {
      const before = collector.count();
      addCompletions(terms, variant, { collector, factor: SUGGEST_TYPO_FACTOR });
      if (collector.count() > before) used ??= variant.words;
    }
    if (!collector.isFull()) addSimilar(terms, rank, { collector, words: used ?? words });
    const suggestions = collector.best();
    return {
      keywordsTransformed: contentOf(used ?? words),
      suggestions,
      quality: suggestions.length === 0 ? 'none' : isCompleted ? 'exact' : 'loose',
    };
  };
}

/** Complete the words as typed; when nothing goes on so, without an article that waits for its word. Gives the words it used. */
function readTypedOrShorter(
  terms: OpenTerms,
  words: readonly string[],
  complete: (typed: TypedWords) => number,
): readonly string[] {
  const typed = readTyped(terms, words);
  if (typed !== null && complete(typed) > 0) return words;
  if (words.length < 2 || !OPEN_ARTICLE.test(words.at(-1) ?? '')) return words;
  const shorter = readTyped(terms, words.slice(0, -1));
  return shorter !== null && complete(shorter) > 0 ? shorter.words : words;
}

interface AddOptions {
  readonly collector: Collector;
  readonly factor: number;
}

function addCompletions(terms: OpenTerms, typed: TypedWords, { collector, factor }: AddOptions): number {
  const found = completeWords(terms, typed, collector.max * ENTRIES_PER_SUGGESTION);
  const typedText = typed.words.join(' ');
  for (const { label, rank } of found) {
    const text = textOf(terms, label);
    const folded = fold(text);
    const closeness = Math.min(1, typedText.length / Math.max(1, folded.length));
    const score =
      folded === typedText ? COMPLETE_SCORE : (rank / 255) * (1 - CLOSENESS_SHARE * (1 - closeness));
    collector.add({ label: text, score: score * factor });
  }
  return found.length;
}

interface SimilarOptions {
  readonly collector: Collector;
  readonly words: readonly string[];
}

/** Each term is shown in the language of the label that matched: a query does not say its language. */
function addSimilar(terms: OpenTerms, rank: ConceptRanker, { collector, words }: SimilarOptions): void {
  const { labels, vocabulary } = terms;
  const limit = collector.max * ENTRIES_PER_SUGGESTION;
  const matches = rank(
    { keywords: words.join(' '), lang: '' },
    { accepts: () => true, limit, asTyped: collector.count() > 0 },
  );
  const langOf = (label: number) => vocabulary.langs[labels.langOf[label]!] ?? '';
  const first = matches[0];
  for (const { concept, label, score, match } of matches.slice(0, limit)) {
    const lang = langOf(match === 'related' && first !== undefined ? first.label : label);
    const text = textOf(terms, preferredLabel(terms, concept, lang));
    collector.add({ label: text, score: score * SUGGEST_SIMILAR_FACTOR });
  }
}

function contentOf(words: readonly string[]): string[] {
  const content = words.filter((word) => !isStopword(word));
  return content.length > 0 ? content : [...words];
}

interface Collector {
  readonly max: number;
  add(suggestion: TermSuggestion): void;
  count(): number;
  isFull(): boolean;
  best(): TermSuggestion[];
}

/** One suggestion for each folded text: its best score, its first spelling. */
function createCollector(max: number): Collector {
  const byText = new Map<string, TermSuggestion>();
  return {
    max,
    add(suggestion) {
      const key = tokenize(suggestion.label).join(' ');
      const known = byText.get(key);
      if (known === undefined) byText.set(key, suggestion);
      else if (known.score < suggestion.score) byText.set(key, { ...known, score: suggestion.score });
    },
    count: () => byText.size,
    isFull: () => byText.size >= max,
    best: () => [...byText.values()].sort((a, b) => b.score - a.score).slice(0, max),
  };
}
