import { enlarge } from '#engine/arrays';
import { isStopword } from '#engine/text/stopwords';
import { nameToTerm, toTerm } from '#engine/text/term';
import {
  createLanguageTerms,
  createWordReader,
  createWordTerms,
  NO_TERM,
  termOf,
  type WordTerms,
} from '#engine/text/word-reader';
import type { ObjectDocument } from '../types.ts';
import { fieldWeights, toImpact, topicFrequencies } from '../weights.ts';
import { MAX_SURFACES } from './lexicon.ts';
import { PUBLISHER_MARK, TOPIC_MARK, UNKNOWN_VALUE } from './segment.ts';

/** Reads the terms of documents, and knows all that it has read. */
export interface DocumentReader {
  /** In order of their first use: their numbers. */
  readonly terms: readonly string[];
  /** Words as they are written, with the numbers of the terms that they stand for. */
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  /** Visit each term of a document once, with its impact. */
  read(document: ObjectDocument, visit: (term: number, impact: number) => void): void;
}

export function createDocumentReader(): DocumentReader {
  const words = createWordReader();
  const vocabulary = createVocabulary(words.spell);
  /** By term: its weighted frequency in the current document. An array over all terms is several times faster than a map. */
  let weights = new Float64Array(1 << 12);
  /** Those of the document, in the order of their first use. */
  let found = new Uint32Array(256);
  let count = 0;

  function addTerm(term: number, worth: number): void {
    if (term >= weights.length) weights = enlarge(weights, term + 1);
    if (weights[term] === 0) {
      if (count === found.length) found = enlarge(found);
      found[count++] = term;
    }
    weights[term]! += worth;
  }

  /** @param end of the words that are added, in the list of those that were read */
  function addWords(end: number, worth: number, wordTerms: WordTerms): void {
    const numbers = words.words;
    for (let i = 0; i < end; i++) {
      const term = termOf(wordTerms, numbers[i]!);
      if (term !== NO_TERM) addTerm(term, worth);
    }
  }

  /** Add the weighted, length-normalised frequencies of a field's words. Source: Robertson & Zaragoza 2009, eq. 3.15. */
  function addField(field: keyof typeof fieldWeights, wordTerms: WordTerms): void {
    const { weight, b, pivot } = fieldWeights[field];
    addWords(words.count, weight / (1 - b + (b * words.count) / pivot), wordTerms);
  }

  function readText(text: string): void {
    words.start();
    words.read(text);
  }

  function readTexts(texts: readonly string[]): void {
    words.start();
    for (const text of texts) words.read(text);
  }

  function addDocument(document: ObjectDocument): void {
    const inLanguage = vocabulary.ofLanguage(document.lang);
    readText(document.title);
    addField('title', inLanguage);
    readTexts(document.keywords);
    addField('keywords', inLanguage);
    readText(document.description);
    addField('description', inLanguage);
    readTexts(document.publishers);
    const publisherWords = words.count;
    for (const author of document.authors) words.read(author);
    addField('names', vocabulary.ofNames);
    if (publisherWords > 0) addWords(publisherWords, 1, vocabulary.ofPublishers);
    else addTerm(vocabulary.ofMarked(PUBLISHER_MARK + UNKNOWN_VALUE), 1);
    readTexts(document.types);
    addField('types', vocabulary.ofNames);
    const { topics = [], widerTopics = [] } = document;
    for (const topic of topics) addTerm(vocabulary.ofMarked(TOPIC_MARK + topic), topicFrequencies.own);
    for (const topic of widerTopics) addTerm(vocabulary.ofMarked(TOPIC_MARK + topic), topicFrequencies.wider);
  }

  return {
    terms: vocabulary.terms,
    termsOfSurface: vocabulary.termsOfSurface,
    read(document, visit) {
      addDocument(document);
      for (let i = 0; i < count; i++) {
        const term = found[i]!;
        visit(term, toImpact(weights[term]!));
        weights[term] = 0;
      }
      count = 0;
    },
  };
}

interface Vocabulary extends Pick<DocumentReader, 'terms' | 'termsOfSurface'> {
  ofLanguage(lang: string): WordTerms;
  /** Of a word of a name. */
  readonly ofNames: WordTerms;
  /** Of a word of a publisher's name, in the list of its own. */
  readonly ofPublishers: WordTerms;
  /** Gives the number of a term that begins with a mark, and that no word stands for. */
  ofMarked(term: string): number;
}

/** @param spell gives the word of a number */
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
    const known = termsOfSurface.get(word);
    if (known === undefined) {
      if (termsOfSurface.size < MAX_SURFACES) termsOfSurface.set(word, [id]);
    } else if (!known.includes(id)) known.push(id);
    return id;
  }

  return {
    terms,
    termsOfSurface,
    ofLanguage: createLanguageTerms((number, lang) => {
      const word = spell(number);
      return isStopword(word, lang) ? NO_TERM : idOfSurface(word, toTerm(word, lang));
    }),
    ofNames: createWordTerms((number) => {
      const word = spell(number);
      return idOfSurface(word, nameToTerm(word));
    }),
    ofPublishers: createWordTerms((word) => idOfTerm(PUBLISHER_MARK + spell(word))),
    ofMarked: idOfTerm,
  };
}
