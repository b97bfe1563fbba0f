import { createGrowableUint8, createGrowableUint32, sortByKey } from '../../arrays.ts';
import { buildStringTable, sortStringsByBytes } from '../../string-table.ts';
import { createWordReader, type WordReader } from '../../text/word-reader.ts';
import type { ObjectDocument } from '../types.ts';
import { fieldWeights, K1, topicFrequencies } from '../weights.ts';
import { createColumns, createValues } from './collect-facts.ts';
import { combineValues } from './combinations.ts';
import { groupByTerm } from './group-postings.ts';
import { buildIds } from './ids.ts';
import { buildLexicon } from './lexicon.ts';
import { listValueSets, PUBLISHER_MARK, type Segment, TOPIC_MARK, UNKNOWN_VALUE } from './segment.ts';
import {
  createVocabulary,
  createVocabularyFrequencies,
  type Frequencies,
  NO_TERM,
  type TermOfWord,
  type Vocabulary,
} from './vocabulary.ts';

/** A segment in the making. Each document is read as it comes, and only what is found in it is kept. */
export interface SegmentBuilder {
  /** Documents so far. */
  readonly count: number;
  /** @return its ordinal */
  add(document: ObjectDocument): number;
  finish(): Segment;
}

export function createSegmentBuilder(): SegmentBuilder {
  const reader = createWordReader();
  const vocabulary = createVocabulary(reader.spell);
  const frequencies = createVocabularyFrequencies();
  const postings = {
    term: createGrowableUint32(),
    impact: createGrowableUint8(),
    end: createGrowableUint32(),
  };
  const columns = createColumns();
  const values = createValues();
  const ids: string[] = [];
  return {
    get count() {
      return ids.length;
    },
    add(document) {
      addDocumentFields(document, { reader, vocabulary, frequencies });
      frequencies.drain((id, weighted) => {
        postings.term.push(id);
        postings.impact.push(toImpact(weighted));
      });
      postings.end.push(postings.term.length);
      columns.add(document);
      values.add(document, ids.length);
      return ids.push(document.id) - 1;
    },
    finish() {
      const { table, rankOfTerm } = sortDocumentTerms(vocabulary.terms);
      const valueSets = values.finish(ids.length);
      const own = columns.finish();
      return {
        count: ids.length,
        terms: table,
        postings: groupByTerm(postings, rankOfTerm),
        lexicon: buildLexicon(renumberTerms(vocabulary.termsOfSurface, rankOfTerm)),
        columns: own,
        ids: buildIds(ids),
        idOrder: orderByHash(own.idHash),
        valueSets,
        combinations: combineValues(ids.length, listValueSets(valueSets)),
      };
    },
  };
}

/** Build a segment of documents with distinct ids. */
export function buildSegment(documents: Iterable<ObjectDocument>): Segment {
  const builder = createSegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.finish();
}

export interface DocumentReading {
  readonly reader: WordReader;
  readonly vocabulary: Vocabulary;
  readonly frequencies: Frequencies;
}

/** Add the weighted, length-normalised frequencies of every field. Source: Robertson & Zaragoza 2009, eq. 3.15. */
export function addDocumentFields(
  document: ObjectDocument,
  { reader, vocabulary, frequencies }: DocumentReading,
): void {
  const read = (texts: readonly string[]) => {
    reader.start();
    for (const text of texts) reader.read(text);
  };
  const addWords = (worth: number, termOf: TermOfWord) => {
    for (let i = 0; i < reader.count; i++) {
      const term = termOf(reader.wordAt(i));
      if (term !== NO_TERM) frequencies.add(term, worth);
    }
  };
  const add = (field: keyof typeof fieldWeights, texts: readonly string[], termOf: TermOfWord) => {
    const { weight, b, pivot } = fieldWeights[field];
    read(texts);
    addWords(weight / (1 - b + (b * reader.count) / pivot), termOf);
  };
  const termOf = vocabulary.ofLanguage(document.lang);
  add('title', [document.title], termOf);
  add('keywords', document.keywords, termOf);
  add('description', [document.description], termOf);
  add('names', [...document.publishers, ...document.authors], vocabulary.ofNames);
  add('types', document.types, vocabulary.ofNames);
  read(document.publishers);
  addWords(1, vocabulary.ofPublishers);
  if (reader.count === 0) frequencies.add(vocabulary.ofMarked(PUBLISHER_MARK + UNKNOWN_VALUE), 1);
  const { topics = [], widerTopics = [] } = document;
  const addTopic = (topic: string, worth: number) =>
    frequencies.add(vocabulary.ofMarked(TOPIC_MARK + topic), worth);
  for (const topic of topics) addTopic(topic, topicFrequencies.own);
  for (const topic of widerTopics) addTopic(topic, topicFrequencies.wider);
}

/** Of a weighted frequency. */
export function toImpact(weighted: number): number {
  return Math.max(1, Math.round((255 * weighted) / (K1 + weighted)));
}

export function sortDocumentTerms(terms: readonly string[]): {
  table: Segment['terms'];
  rankOfTerm: Uint32Array;
} {
  const idOfTerm = new Map(terms.map((term, id) => [term, id]));
  const sorted = sortStringsByBytes([...terms]);
  const rankOfTerm = new Uint32Array(terms.length);
  for (const [rank, term] of sorted.entries()) rankOfTerm[idOfTerm.get(term)!] = rank;
  return { table: buildStringTable(sorted), rankOfTerm };
}

export function renumberTerms(
  termsOfSurface: ReadonlyMap<string, readonly number[]>,
  rankOfTerm: Uint32Array,
): Map<string, number[]> {
  return new Map([...termsOfSurface].map(([word, ids]) => [word, ids.map((id) => rankOfTerm[id]!)]));
}

/** Ordinals by ascending hash. */
export function orderByHash(hashes: Uint32Array): Uint32Array {
  return sortByKey(
    hashes,
    hashes.map((_, i) => i),
  ).values;
}
