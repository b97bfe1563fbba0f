import { enlarge } from '../../arrays.ts';
import { createWordReader } from '../../text/word-reader.ts';
import { NO_TERM, termOf, type WordTerms } from '../../text/word-terms.ts';
import type { ObjectDocument } from '../types.ts';
import { fieldWeights, toImpact, topicFrequencies } from '../weights.ts';
import { PUBLISHER_MARK, TOPIC_MARK, UNKNOWN_VALUE } from './segment.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

/** Reads the terms of documents, and knows all that it has read. */
export interface DocumentReader {
  readonly vocabulary: Vocabulary;
  /** Visit each term of a document once, with its impact. */
  read(document: ObjectDocument, visit: (term: number, impact: number) => void): void;
}

export function createDocumentReader(): DocumentReader {
  const words = createWordReader();
  const vocabulary = createVocabulary(words.spell);
  /** By term: its weighted frequency in the current document. An array over all terms is several times faster than a map. */
  let weights = new Float64Array(1 << 12);
  /** Those of the document, in the order of their first use. */
  let terms = new Uint32Array(256);
  let count = 0;

  function addTerm(term: number, worth: number): void {
    if (term >= weights.length) weights = enlarge(weights, term + 1);
    if (weights[term] === 0) {
      if (count === terms.length) terms = enlarge(terms);
      terms[count++] = term;
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
    const own = vocabulary.ofLanguage(document.lang);
    readText(document.title);
    addField('title', own);
    readTexts(document.keywords);
    addField('keywords', own);
    readText(document.description);
    addField('description', own);
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
    vocabulary,
    read(document, visit) {
      addDocument(document);
      for (let i = 0; i < count; i++) {
        const term = terms[i]!;
        visit(term, toImpact(weights[term]!));
        weights[term] = 0;
      }
      count = 0;
    },
  };
}
