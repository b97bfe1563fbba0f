import { fold } from '#engine/text/fold';
import { isStopword } from '#engine/text/stopwords';
import { MAX_QUERY_WORDS, OPEN_ELISION, tokenize } from '#engine/text/tokenize';
import {
  findConceptLabel,
  findLabelTypos,
  type OpenTerms,
  readConceptSource,
  readConceptUri,
  readLabelText,
} from '../concept-view.ts';
import type { ConceptRanker } from '../similar/rank-concepts.ts';
import { labelRoles, NONE } from '../term-data.ts';
import type { TermSuggestAnswer, TermSuggestion, TermSuggestQuery } from '../types.ts';
import { completeWithOneTypo, completeWords, readWordsToComplete, type TypedWords } from './complete.ts';
import { listPhraseCompletions } from './completions.ts';

/** Entries to read for each suggestion, as taxonomies share many labels. */
const ENTRIES_PER_SUGGESTION = 4;
/** The factor of a completion after a correction. */
const TYPO_FACTOR = 0.75;
/** The factor of a term that is only similar to the words. */
const SIMILAR_FACTOR = 0.6;
/** The factor of a completion in another language than the typed words. */
const FOREIGN_FACTOR = 0.7;
/** The factor of a preferred label, if another label of its concept was typed completely. */
const NAME_FACTOR = 0.97;

/** The share of a completion's score that depends on how much of it was typed. */
const CLOSENESS_SHARE = 0.2;
const COMPLETE_SCORE = 1;
/** With more words, similar words are not searched for, which takes time for each word. */
const MAX_CORRECTED_WORDS = 8;
/** A last word that may be an elided article: `gestion d`. */
const OPEN_ARTICLE = /^(?:[cdjlmnst]|qu)$/;

/** Creates a function that completes the last word or corrects a typo, then adds similar terms. */
export function createSuggest(terms: OpenTerms, rank: ConceptRanker) {
  const guessLangs = createLanguageGuesser(terms);
  const readKey = createLabelKeyReader(terms);
  return ({ keywords, lang, max, phrases = [] }: TermSuggestQuery): TermSuggestAnswer => {
    const words = tokenize(keywords.replace(OPEN_ELISION, '$1')).slice(0, MAX_QUERY_WORDS);
    if (words.length === 0) return { keywordsTransformed: [], suggestions: [], quality: 'none' };
    const collector = createSuggestionCollector(max, readKey);
    const preferred = lang === undefined ? -1 : terms.lexicon.findLang(lang);
    const findLangs = (typed: readonly string[]): ReadonlySet<number> => {
      // The last word may be a prefix: `develop` of `développer`.
      const isPreferred = preferred >= 0 && guessLangs(typed.slice(0, -1)).has(preferred);
      return isPreferred ? new Set([preferred]) : guessLangs(typed);
    };
    const add = (typed: TypedWords, factor: number) =>
      suggestCompletions(terms, typed, { collector, factor, langs: findLangs(typed.words) });
    const typed = readTypedOrShorter(terms, words, (result) => add(result, 1));
    for (const { text, rank } of listPhraseCompletions(phrases, words))
      collector.add({ label: text, score: scoreSuggestion(words.join(' '), fold(text), rank), concept: NONE });
    const isCompleted = collector.count() > 0;
    const corrected = isCompleted ? [] : completeWithOneTypo(terms, words);
    for (const variant of corrected) add(variant, TYPO_FACTOR);
    const used = isCompleted ? typed : (corrected[0]?.words ?? suggestCorrectedWords(terms, words));
    if (!collector.isFull())
      suggestSimilar(terms, rank, { collector, words: used, langs: findLangs(used), usesMeaning: !isCompleted });
    const suggestions = collector.best().map((best) => toSuggestion(terms, best));
    return {
      keywordsTransformed: listContentWords(used),
      suggestions,
      quality: suggestions.length === 0 ? 'none' : isCompleted ? 'exact' : 'loose',
    };
  };
}

/** Completes the words, perhaps without an elided article. @returns the words that were
 *  completed; all words if none were */
function readTypedOrShorter(
  terms: OpenTerms,
  words: readonly string[],
  complete: (typed: TypedWords) => number,
): readonly string[] {
  const typed = readWordsToComplete(terms, words);
  if (typed !== null && complete(typed) > 0) return words;
  if (words.length < 2 || !OPEN_ARTICLE.test(words.at(-1) ?? '')) return words;
  const shorter = readWordsToComplete(terms, words.slice(0, -1));
  return shorter !== null && complete(shorter) > 0 ? shorter.words : words;
}

function suggestCorrectedWords(terms: OpenTerms, words: readonly string[]): readonly string[] {
  const { lexicon } = terms;
  return words.map((word) => {
    const near = lexicon.findWord(word) === NONE ? findLabelTypos(terms, word)[0] : undefined;
    return near === undefined ? word : lexicon.words[near]!;
  });
}

interface AddOptions {
  readonly collector: Collector;
  readonly factor: number;
  /** The ordinals of the languages of the words. */
  readonly langs: ReadonlySet<number>;
}

/** @returns the number of completions */
function suggestCompletions(terms: OpenTerms, typed: TypedWords, options: AddOptions): number {
  const { collector, factor, langs } = options;
  const { labels } = terms;
  const limit = collector.max * ENTRIES_PER_SUGGESTION;
  const isPreferredLang = terms.vocabulary.langs.map((_, lang) => langs.has(lang));
  const isPreferred = (label: number) => isPreferredLang[labels.langOf[label]!]!;
  const completions = completeWords(terms, typed, { limit, accepts: isPreferred });
  // Other languages come after these, if these do not have enough.
  if (langs.size < terms.vocabulary.langs.length && completions.length < limit)
    completions.push(...completeWords(terms, typed, { limit, accepts: (label) => !isPreferred(label) }));
  const typedText = typed.words.join(' ');
  for (const { label, rank } of completions) {
    const text = readLabelText(terms, label);
    const folded = fold(text);
    const score = scoreSuggestion(typedText, folded, rank) * factor * (isPreferred(label) ? 1 : FOREIGN_FACTOR);
    const concept = labels.conceptOf[label]!;
    collector.add({ label: text, score, concept }, label);
    if (folded !== typedText || labels.roleOf[label] !== labelRoles.alternative) continue;
    // Whoever typed a short name such as an acronym wants to see its long form.
    const [lang = labels.langOf[label]!] = langs.size === 1 ? langs : [];
    const name = findConceptLabel(terms, concept, terms.vocabulary.langs[lang]!);
    collector.add({ label: readLabelText(terms, name), score: score * NAME_FACTOR, concept }, name);
  }
  return completions.length;
}

/** @param rank 0 to 255 */
function scoreSuggestion(typed: string, folded: string, rank: number): number {
  if (folded === typed) return COMPLETE_SCORE;
  const closeness = Math.min(1, typed.length / Math.max(1, folded.length));
  return (rank / 255) * (1 - CLOSENESS_SHARE * (1 - closeness));
}

interface SimilarOptions {
  readonly collector: Collector;
  readonly words: readonly string[];
  readonly langs: ReadonlySet<number>;
  /** Ranks by meaning, too, unless the words were completed. */
  readonly usesMeaning: boolean;
}

function suggestSimilar(terms: OpenTerms, rank: ConceptRanker, options: SimilarOptions): void {
  const { collector, words, langs, usesMeaning } = options;
  const { labels, vocabulary } = terms;
  const limit = collector.max * ENTRIES_PER_SUGGESTION;
  const [only] = langs.size === 1 ? langs : [];
  const lang = only === undefined ? '' : vocabulary.langs[only]!;
  const asTyped = collector.count() > 0 || words.length > MAX_CORRECTED_WORDS;
  const matches = rank({ keywords: words.join(' '), lang, asTyped, usesMeaning }, { accepts: () => true, limit });
  const first = matches[0];
  for (const { concept, label, score, match } of matches.slice(0, limit)) {
    const matched = labels.langOf[match === 'related' && first !== undefined ? first.label : label]!;
    const labelLang = langs.has(matched) ? vocabulary.langs[matched]! : lang;
    const answerLabel = findConceptLabel(terms, concept, labelLang);
    if (!langs.has(labels.langOf[answerLabel]!)) continue;
    const text = readLabelText(terms, answerLabel);
    collector.add({ label: text, score: score * SIMILAR_FACTOR, concept }, answerLabel);
  }
}

function listContentWords(words: readonly string[]): string[] {
  const content = words.filter((word) => !isStopword(word));
  return content.length > 0 ? content : [...words];
}

interface CollectedSuggestion {
  readonly label: string;
  readonly score: number;
  /** Its ordinal, or NONE. */
  readonly concept: number;
}

function toSuggestion(terms: OpenTerms, { label, score, concept }: CollectedSuggestion): TermSuggestion {
  if (concept === NONE) return { label, score };
  return { label, score, concept: { uri: readConceptUri(terms, concept), source: readConceptSource(terms, concept) } };
}

type Collector = ReturnType<typeof createSuggestionCollector>;

/** The ending of plurals, as taxonomies of occupations write them: `électriciens`. */
const PLURAL = /(?<=[^s]{3})s$/;
const toSingular = (word: string): string => (word.endsWith('s') ? word.replace(PLURAL, '') : word);

/** Creates a function that reads the singular words of a label. Each singular is made once, as many
 *  labels share a word. */
function createLabelKeyReader({ labels, lexicon }: OpenTerms) {
  const singulars: (string | undefined)[] = [];
  return (label: number): string => {
    let key = '';
    for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
      const word = labels.words[at]!;
      singulars[word] ??= toSingular(lexicon.words[word]!);
      key += key === '' ? singulars[word] : ` ${singulars[word]}`;
    }
    return key;
  };
}

/** Collects one suggestion for each folded text, singular or plural, with its best score. */
function createSuggestionCollector(max: number, readKey: (label: number) => string) {
  const byText = new Map<string, CollectedSuggestion>();
  return {
    max,
    /** @param label its ordinal; absent for a phrase of no concept */
    add(suggestion: CollectedSuggestion, label?: number): void {
      const key = label === undefined ? tokenize(suggestion.label).map(toSingular).join(' ') : readKey(label);
      const before = byText.get(key);
      if (before === undefined) byText.set(key, suggestion);
      else if (before.score < suggestion.score) byText.set(key, { ...before, score: suggestion.score });
    },
    count: (): number => byText.size,
    isFull: (): boolean => byText.size >= max,
    best: (): CollectedSuggestion[] => [...byText.values()].sort((a, b) => b.score - a.score).slice(0, max),
  };
}

/** The last bit, which all further languages share. */
const LAST_BIT = 31;

/** Creates a function that returns the languages (ordinals) that have the most of some words; all
 *  languages if none has any. */
function createLanguageGuesser({ labels, vocabulary, lexicon }: OpenTerms) {
  const langsOf = new Uint32Array(lexicon.words.length);
  for (let label = 0; label < labels.conceptOf.length; label++) {
    if (labels.roleOf[label] === labelRoles.phrase) continue;
    const bit = 1 << Math.min(labels.langOf[label]!, LAST_BIT);
    for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) langsOf[labels.words[at]!]! |= bit;
  }

  return (words: readonly string[]): ReadonlySet<number> => {
    const counts = vocabulary.langs.map(() => 0);
    for (const word of words) {
      const ordinal = lexicon.findWord(word);
      if (ordinal === NONE) continue;
      for (let lang = 0; lang < counts.length; lang++) {
        if (langsOf[ordinal]! & (1 << Math.min(lang, LAST_BIT))) counts[lang]!++;
      }
    }
    const most = Math.max(...counts);
    return new Set(counts.flatMap((count, lang) => (count === most ? [lang] : [])));
  };
}
