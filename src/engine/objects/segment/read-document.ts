import { enlarge } from '#engine/arrays';
import { isStopword } from '#engine/text/stopwords';
import { nameToTerm, toFormTerm, toTerm } from '#engine/text/term';
import {
  createLanguageTerms,
  createWordReader,
  createWordTerms,
  NO_TERM,
  termOf,
  type WordReader,
  type WordTerms,
} from '#engine/text/word-reader';
import type { ObjectDocument } from '../types.ts';
import { fieldWeights, toImpact, topicFrequencies } from '../weights.ts';
import { MAX_SURFACES } from './lexicon.ts';
import { PUBLISHER_MARK, TOPIC_MARK, UNKNOWN_VALUE } from './segment.ts';

/** Reads the terms of documents, and collects the vocabulary of all of them. */
export interface DocumentReader {
  /** All terms, by their numbers, which are in the order of first use. */
  readonly terms: readonly string[];
  /** Words as they are written, with the numbers of their terms. */
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  /** Visits each term of a document once, with its impact. */
  read(document: ObjectDocument, visit: (term: number, impact: number) => void): void;
}

interface ReaderState {
  readonly words: WordReader;
  readonly vocabulary: Vocabulary;
  /** By term: its weighted frequency in the current document. An array over all terms is several
   *  times faster than a map. */
  weights: Float64Array;
  /** Terms of the current document, in the order of first use; only the first `count` are valid. */
  terms: Uint32Array;
  count: number;
}

export function createDocumentReader(): DocumentReader {
  const words = createWordReader();
  const vocabulary = createVocabulary(words.spell);
  const weights = new Float64Array(1 << 12);
  const state: ReaderState = { words, vocabulary, weights, terms: new Uint32Array(256), count: 0 };
  return {
    terms: vocabulary.terms,
    termsOfSurface: vocabulary.termsOfSurface,
    read(document, visit) {
      addDocument(state, document);
      for (let i = 0; i < state.count; i++) {
        const term = state.terms[i]!;
        visit(term, toImpact(state.weights[term]!));
        state.weights[term] = 0;
      }
      state.count = 0;
    },
  };
}

function addDocument(state: ReaderState, document: ObjectDocument): void {
  const { words, vocabulary } = state;
  const inLanguage = vocabulary.ofLanguage(document.lang);
  const forms = vocabulary.ofForms(document.lang);
  readTexts(words, [document.title]);
  addField(state, 'title', inLanguage);
  addField(state, 'title', forms);
  readTexts(words, document.keywords);
  addField(state, 'keywords', inLanguage);
  addField(state, 'keywords', forms);
  readTexts(words, [document.description]);
  addField(state, 'description', inLanguage);
  readTexts(words, document.publishers);
  const publisherWords = words.count;
  for (const author of document.authors) words.read(author);
  addField(state, 'names', vocabulary.ofNames);
  if (publisherWords > 0) addWords(state, publisherWords, 1, vocabulary.ofPublishers);
  else addTerm(state, vocabulary.ofMarked(PUBLISHER_MARK + UNKNOWN_VALUE), 1);
  readTexts(words, document.types);
  addField(state, 'types', vocabulary.ofNames);
  for (const topic of document.topics ?? [])
    addTerm(state, vocabulary.ofMarked(TOPIC_MARK + topic), topicFrequencies.direct);
  for (const topic of document.widerTopics ?? [])
    addTerm(state, vocabulary.ofMarked(TOPIC_MARK + topic), topicFrequencies.wider);
}

function readTexts(words: WordReader, texts: readonly string[]): void {
  words.start();
  for (const text of texts) words.read(text);
}

/** Adds the weighted, length-normalised frequencies of a field's words.
 *  Source: Robertson & Zaragoza 2009, eq. 3.15. */
function addField(state: ReaderState, field: keyof typeof fieldWeights, wordTerms: WordTerms): void {
  const { weight, b, pivot } = fieldWeights[field];
  const { count } = state.words;
  addWords(state, count, weight / (1 - b + (b * count) / pivot), wordTerms);
}

/** @param end how many of the words that were read are added */
function addWords(state: ReaderState, end: number, worth: number, wordTerms: WordTerms): void {
  const { words } = state.words;
  for (let i = 0; i < end; i++) {
    const term = termOf(wordTerms, words[i]!);
    if (term !== NO_TERM) addTerm(state, term, worth);
  }
}

function addTerm(state: ReaderState, term: number, worth: number): void {
  if (term >= state.weights.length) state.weights = enlarge(state.weights, term + 1);
  if (state.weights[term] === 0) {
    if (state.count === state.terms.length) state.terms = enlarge(state.terms);
    state.terms[state.count++] = term;
  }
  state.weights[term]! += worth;
}

interface Vocabulary extends Pick<DocumentReader, 'terms' | 'termsOfSurface'> {
  /** Terms of words in a language. */
  ofLanguage(lang: string): WordTerms;
  /** Terms of words in their own form, in a language. */
  ofForms(lang: string): WordTerms;
  /** Terms of words in names. */
  readonly ofNames: WordTerms;
  /** Terms of publisher words, for the `publisher` filter. */
  readonly ofPublishers: WordTerms;
  /** The number of a term that begins with a mark, and is not a word. */
  ofMarked(term: string): number;
}

/** @param spell returns the word with a number */
function createVocabulary(spell: (word: number) => string): Vocabulary {
  const terms: string[] = [];
  const ids = new Map<string, number>();
  const termsOfSurface = new Map<string, number[]>();

  function idOfTerm(term: string): number {
    let id = ids.get(term);
    if (id === undefined) {
      id = terms.length;
      ids.set(term, id);
      terms.push(term);
    }
    return id;
  }

  function idOfSurface(word: string, term: string): number {
    const id = idOfTerm(term);
    const ids = termsOfSurface.get(word);
    if (ids === undefined) {
      if (termsOfSurface.size < MAX_SURFACES) termsOfSurface.set(word, [id]);
    } else if (!ids.includes(id)) ids.push(id);
    return id;
  }

  return {
    terms,
    termsOfSurface,
    ofLanguage: createLanguageTerms((number, lang) => {
      const word = spell(number);
      return isStopword(word, lang) ? NO_TERM : idOfSurface(word, toTerm(word, lang));
    }),
    ofForms: createLanguageTerms((number, lang) => {
      const word = spell(number);
      const term = isStopword(word, lang) ? '' : toFormTerm(word, lang);
      return term === '' ? NO_TERM : idOfTerm(term);
    }),
    ofNames: createWordTerms((number) => {
      const word = spell(number);
      return idOfSurface(word, nameToTerm(word));
    }),
    ofPublishers: createWordTerms((word) => idOfTerm(PUBLISHER_MARK + spell(word))),
    ofMarked: idOfTerm,
  };
}
