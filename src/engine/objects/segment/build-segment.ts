import { createGrowableUint8, createGrowableUint32 } from '../../arrays.ts';
import { type Bitset, createBitset, setBit } from '../../bitset.ts';
import { hashString } from '../../hash.ts';
import { buildStringTable, sortStringsByBytes } from '../../string-table.ts';
import { tokenize } from '../../text/tokenize.ts';
import { type ObjectDocument, type ValueField, valueFields } from '../types.ts';
import { DEAD_POPULARITY, fieldWeights, K1, topicFrequencies } from '../weights.ts';
import { combineValues } from './combinations.ts';
import { buildLexicon } from './lexicon.ts';
import { createPostingsWriter, type Postings } from './postings.ts';
import {
  type Columns,
  NO_AGE,
  PUBLISHER_MARK,
  type Segment,
  TOPIC_MARK,
  UNKNOWN_VALUE,
  type ValueSets,
} from './segment.ts';
import {
  createVocabulary,
  createVocabularyFrequencies,
  type Frequencies,
  NO_TERM,
  type Vocabulary,
} from './vocabulary.ts';

/** Build a segment of documents with distinct ids. */
export function buildSegment(documents: readonly ObjectDocument[]): Segment {
  const postings = collectPostings(documents);
  const order = sortTerms(postings.terms);
  const valueSets = collectValueSets(documents);
  return {
    count: documents.length,
    terms: order.table,
    postings: groupByTerm(postings, order.rankOfTerm),
    lexicon: buildLexicon(renumber(postings.termsOfSurface, order.rankOfTerm)),
    columns: collectColumns(documents),
    ids: buildStringTable(documents.map((document) => document.id)),
    idOrder: orderByHash(Uint32Array.from(documents, (document) => hashString(document.id))),
    valueSets,
    combinations: combineValues(documents.length, valueSets),
  };
}

interface Collected {
  readonly terms: readonly string[];
  readonly termsOfSurface: ReadonlyMap<string, readonly number[]>;
  readonly term: Uint32Array;
  readonly doc: Uint32Array;
  readonly impact: Uint8Array;
}

/** One entry per document and distinct term, in order of the documents. */
function collectPostings(documents: readonly ObjectDocument[]): Collected {
  const vocabulary = createVocabulary();
  const term = createGrowableUint32();
  const doc = createGrowableUint32();
  const impact = createGrowableUint8();
  const frequencies = createVocabularyFrequencies();
  for (const [ordinal, document] of documents.entries()) {
    addFields(document, vocabulary, frequencies);
    frequencies.drain((id, weighted) => {
      term.push(id);
      doc.push(ordinal);
      impact.push(toImpact(weighted));
    });
  }
  const { terms, termsOfSurface } = vocabulary;
  return { terms, termsOfSurface, term: term.finish(), doc: doc.finish(), impact: impact.finish() };
}

/** Add the weighted, length-normalised frequencies of every field. Source: Robertson & Zaragoza 2009, eq. 3.15. */
function addFields(document: ObjectDocument, vocabulary: Vocabulary, frequencies: Frequencies): void {
  const termOf = vocabulary.ofLanguage(document.lang);
  const add = (
    field: keyof typeof fieldWeights,
    words: readonly string[],
    idOf: (word: string) => number,
  ) => {
    const { weight, b, pivot } = fieldWeights[field];
    const worth = weight / (1 - b + (b * words.length) / pivot);
    for (const word of words) {
      const id = idOf(word);
      if (id !== NO_TERM) frequencies.add(id, worth);
    }
  };
  add('title', tokenize(document.title), termOf);
  add('keywords', document.keywords.flatMap(tokenize), termOf);
  add('description', tokenize(document.description), termOf);
  add('names', [...document.publishers, ...document.authors].flatMap(tokenize), vocabulary.ofNames);
  add('types', document.types.flatMap(tokenize), vocabulary.ofNames);
  const publisherWords = document.publishers.flatMap(tokenize);
  for (const word of publisherWords.length > 0 ? publisherWords : [UNKNOWN_VALUE]) {
    frequencies.add(vocabulary.ofMarked(PUBLISHER_MARK + word), 1);
  }
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

function sortTerms(terms: readonly string[]): { table: Segment['terms']; rankOfTerm: Uint32Array } {
  const idOfTerm = new Map(terms.map((term, id) => [term, id]));
  const sorted = sortStringsByBytes([...terms]);
  const rankOfTerm = new Uint32Array(terms.length);
  for (const [rank, term] of sorted.entries()) rankOfTerm[idOfTerm.get(term)!] = rank;
  return { table: buildStringTable(sorted), rankOfTerm };
}

/** Counting sort by term; it is stable, so each list stays ascending by document. */
function groupByTerm({ terms, term, doc, impact }: Collected, rankOfTerm: Uint32Array): Postings {
  const size = new Uint32Array(terms.length + 1);
  for (const id of term) size[rankOfTerm[id]! + 1]!++;
  for (let i = 0; i < terms.length; i++) size[i + 1]! += size[i]!;
  const next = size.slice(0, -1);
  const order = new Uint32Array(term.length);
  for (let i = 0; i < term.length; i++) order[next[rankOfTerm[term[i]!]!]!++] = i;
  const writer = createPostingsWriter();
  for (let t = 0; t < terms.length; t++) {
    for (let k = size[t]!; k < size[t + 1]!; k++) writer.push(doc[order[k]!]!, impact[order[k]!]!);
    writer.endList();
  }
  return writer.finish();
}

function renumber(
  termsOfSurface: ReadonlyMap<string, readonly number[]>,
  rankOfTerm: Uint32Array,
): Map<string, number[]> {
  return new Map([...termsOfSurface].map(([word, ids]) => [word, ids.map((id) => rankOfTerm[id]!)]));
}

function collectColumns(documents: readonly ObjectDocument[]): Columns {
  const numbers = (value: (document: ObjectDocument) => number | undefined) =>
    Float32Array.from(documents, (document) => value(document) ?? Number.NaN);
  const ages = (value: (document: ObjectDocument) => number | undefined) =>
    Uint8Array.from(documents, (document) => value(document) ?? NO_AGE);
  return {
    level: numbers((document) => document.level),
    minutes: numbers((document) => document.minutes),
    popularity: numbers(({ isDead, popularity }) => (isDead ? DEAD_POPULARITY : popularity)),
    lat: numbers((document) => document.lat),
    lon: numbers((document) => document.lon),
    ageMin: ages((document) => document.ageMin),
    ageMax: ages((document) => document.ageMax),
    free: Uint8Array.from(documents, ({ free }) => (free === undefined ? 0 : free ? 1 : 2)),
    idHash: Uint32Array.from(documents, (document) => hashString(document.id)),
  };
}

const valuesOf: Readonly<Record<ValueField, (document: ObjectDocument) => readonly string[]>> = {
  provider: (document) => [document.provider],
  type: (document) => document.types,
  bloom: (document) => document.blooms,
  lang: (document) => [document.lang],
};

function collectValueSets(documents: readonly ObjectDocument[]): Segment['valueSets'] {
  const entries = valueFields.map((field): [ValueField, ValueSets] => {
    const sets = new Map<string, Bitset>();
    for (const [ordinal, document] of documents.entries()) {
      const values = valuesOf[field](document);
      for (const value of values.length > 0 ? values : [UNKNOWN_VALUE]) {
        let set = sets.get(value);
        if (set === undefined) {
          set = createBitset(documents.length);
          sets.set(value, set);
        }
        setBit(set, ordinal);
      }
    }
    return [field, { values: [...sets.keys()], sets: [...sets.values()] }];
  });
  return Object.fromEntries(entries) as Record<ValueField, ValueSets>;
}

/** Ordinals by ascending hash. */
export function orderByHash(hashes: Uint32Array): Uint32Array {
  // Hash and ordinal in one float sort natively; 2^21 ordinals fit beside 32 bits of hash.
  if (hashes.length <= 2 ** 21) {
    const keys = Float64Array.from(hashes, (hash, ordinal) => hash * 2 ** 21 + ordinal).sort();
    return Uint32Array.from(keys, (key) => key % 2 ** 21);
  }
  return Uint32Array.from(hashes.keys()).sort((a, b) => hashes[a]! - hashes[b]!);
}
