import { enlarge } from '#engine/arrays';
import { getOrAdd } from '#engine/maps';
import { isStopword } from '#engine/text/stopwords';
import { nameToTerm, toFormTerm, toTerm } from '#engine/text/term';
import type { WordReader, WordTerms } from '#engine/text/word-reader';
import {
  createLanguageTerms,
  createWordReader,
  createWordTerms,
  findTermOfWord,
  NO_TERM,
  readWords,
  spellWord,
} from '#engine/text/word-reader';
import type { ObjectDocument } from '../types.ts';
import { fieldWeights, toImpact, topicFrequencies } from '../weights.ts';
import { MAX_SURFACES } from './lexicon.ts';
import { PUBLISHER_MARK, TOPIC_MARK, UNKNOWN_VALUE } from './segment.ts';

interface DocumentReader {
  readonly words: WordReader;
  readonly vocabulary: Vocabulary;
  /** By term: its frequency in the current document. An array is much faster than a map. */
  weights: Float64Array;
  /** The terms of the current document, by first use; only the first `count` are valid. */
  terms: Uint32Array;
  count: number;
}

export function createDocumentReader(): DocumentReader {
  const words = createWordReader();
  const vocabulary = createDocumentVocabulary((word) => spellWord(words, word));
  return { words, vocabulary, weights: new Float64Array(1 << 12), terms: new Uint32Array(256), count: 0 };
}

/** Visits each term of a document once, with its impact. */
export function forEachDocumentTerm(
  reader: DocumentReader,
  document: ObjectDocument,
  visit: (term: number, impact: number) => void,
): void {
  addDocument(reader, document);
  for (let i = 0; i < reader.count; i++) {
    const term = reader.terms[i]!;
    visit(term, toImpact(reader.weights[term]!));
    reader.weights[term] = 0;
  }
  reader.count = 0;
}

function addDocument(reader: DocumentReader, document: ObjectDocument): void {
  const { words, vocabulary } = reader;
  const inLanguage = vocabulary.ofLanguage(document.lang);
  const forms = vocabulary.ofForms(document.lang);
  readWords(words, [document.title]);
  addDocumentField(reader, 'title', inLanguage);
  addDocumentField(reader, 'title', forms);
  readWords(words, document.keywords);
  addDocumentField(reader, 'keywords', inLanguage);
  addDocumentField(reader, 'keywords', forms);
  readWords(words, [document.description]);
  addDocumentField(reader, 'description', inLanguage);
  readWords(words, document.publishers);
  const publisherWords = words.count;
  readWords(words, document.authors, publisherWords);
  addDocumentField(reader, 'names', vocabulary.ofNames);
  if (publisherWords > 0) addDocumentWords(reader, publisherWords, 1, vocabulary.ofPublishers);
  else addDocumentTerm(reader, vocabulary.ofMarked(PUBLISHER_MARK + UNKNOWN_VALUE), 1);
  readWords(words, document.types);
  addDocumentField(reader, 'types', vocabulary.ofNames);
  for (const topic of document.topics ?? [])
    addDocumentTerm(reader, vocabulary.ofMarked(TOPIC_MARK + topic), topicFrequencies.direct);
  for (const topic of document.widerTopics ?? [])
    addDocumentTerm(reader, vocabulary.ofMarked(TOPIC_MARK + topic), topicFrequencies.wider);
}

/** Adds the frequencies of a field, normalised by its length.
 *  Source: Robertson & Zaragoza 2009, eq. 3.15. */
function addDocumentField(reader: DocumentReader, field: keyof typeof fieldWeights, wordTerms: WordTerms): void {
  const { weight, b, pivot } = fieldWeights[field];
  const { count } = reader.words;
  addDocumentWords(reader, count, weight / (1 - b + (b * count) / pivot), wordTerms);
}

/** @param end how many of the words that were read are added */
function addDocumentWords(reader: DocumentReader, end: number, worth: number, wordTerms: WordTerms): void {
  const { words } = reader.words;
  for (let i = 0; i < end; i++) {
    const term = findTermOfWord(wordTerms, words[i]!);
    if (term !== NO_TERM) addDocumentTerm(reader, term, worth);
  }
}

function addDocumentTerm(reader: DocumentReader, term: number, worth: number): void {
  if (term >= reader.weights.length) reader.weights = enlarge(reader.weights, term + 1);
  if (reader.weights[term] === 0) {
    if (reader.count === reader.terms.length) reader.terms = enlarge(reader.terms);
    reader.terms[reader.count++] = term;
  }
  reader.weights[term]! += worth;
}

/** Numbers the terms of all documents, and knows the rules by which words become terms. */
interface Vocabulary {
  readonly terms: readonly string[];
  /** The numbers of the terms of each folded word. */
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  ofLanguage(lang: string): WordTerms;
  /** Returns the terms of words in their own form, in a language. */
  ofForms(lang: string): WordTerms;
  readonly ofNames: WordTerms;
  /** The terms of the `publisher` filter. */
  readonly ofPublishers: WordTerms;
  /** Returns the number of a term that begins with a mark, and is not a word. */
  ofMarked(term: string): number;
}

/** @param spell returns the word with a number */
function createDocumentVocabulary(spell: (word: number) => string): Vocabulary {
  const terms: string[] = [];
  const ids = new Map<string, number>();
  const termsOfSurface = new Map<string, number[]>();

  const idOfTerm = (term: string) => getOrAdd(ids, term, () => terms.push(term) - 1);

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
