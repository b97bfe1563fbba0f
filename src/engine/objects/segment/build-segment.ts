import {
  createGrowableFloat32,
  createGrowableUint8,
  createGrowableUint32,
  type Growable,
} from '../../arrays.ts';
import { createBitset, setBit } from '../../bitset.ts';
import { hashString } from '../../hash.ts';
import { buildStringTable, sortStringsByBytes } from '../../string-table.ts';
import { createWordReader, type WordReader } from '../../text/word-reader.ts';
import { type ObjectDocument, type ValueField, valueFields } from '../types.ts';
import { DEAD_POPULARITY, fieldWeights, K1, topicFrequencies } from '../weights.ts';
import { combineValues } from './combinations.ts';
import { buildIds } from './ids.ts';
import { buildLexicon } from './lexicon.ts';
import { CHUNK, type Postings } from './postings.ts';
import {
  type Columns,
  listValueSets,
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
      addFields(document, { reader, vocabulary, frequencies });
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
      const { table, rankOfTerm } = sortTerms(vocabulary.terms);
      const valueSets = values.finish(ids.length);
      const own = columns.finish();
      return {
        count: ids.length,
        terms: table,
        postings: groupByTerm(postings, rankOfTerm),
        lexicon: buildLexicon(renumber(vocabulary.termsOfSurface, rankOfTerm)),
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

interface Reading {
  readonly reader: WordReader;
  readonly vocabulary: Vocabulary;
  readonly frequencies: Frequencies;
}

/** Add the weighted, length-normalised frequencies of every field. Source: Robertson & Zaragoza 2009, eq. 3.15. */
function addFields(document: ObjectDocument, { reader, vocabulary, frequencies }: Reading): void {
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

function sortTerms(terms: readonly string[]): { table: Segment['terms']; rankOfTerm: Uint32Array } {
  const idOfTerm = new Map(terms.map((term, id) => [term, id]));
  const sorted = sortStringsByBytes([...terms]);
  const rankOfTerm = new Uint32Array(terms.length);
  for (const [rank, term] of sorted.entries()) rankOfTerm[idOfTerm.get(term)!] = rank;
  return { table: buildStringTable(sorted), rankOfTerm };
}

/** One entry per document and distinct term, in order of the documents; `end` tells where those of each end. */
interface Collected {
  readonly term: Growable<Uint32Array>;
  readonly impact: Growable<Uint8Array>;
  readonly end: Growable<Uint32Array>;
}

/** Counting sort by term; it is stable, so each list stays ascending by document. */
function groupByTerm(collected: Collected, rankOfTerm: Uint32Array): Postings {
  const terms = rankOfTerm.length;
  const [listStart, size, lastChunk] = [0, 0, 0].map(() => new Uint32Array(terms + 1)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const visitAll = (visit: (list: number, doc: number, i: number) => void) => {
    let i = 0;
    for (let doc = 0; doc < collected.end.length; doc++)
      for (const end = collected.end.at(doc); i < end; i++) visit(rankOfTerm[collected.term.at(i)]!, doc, i);
  };
  const isNewChunk = (list: number, doc: number) => {
    // One more than the chunk, so that 0 is none.
    const chunk = Math.floor(doc / CHUNK) + 1;
    if (lastChunk[list] === chunk) return false;
    lastChunk[list] = chunk;
    return true;
  };
  visitAll((list, doc) => {
    size[list + 1]!++;
    if (isNewChunk(list, doc)) listStart[list + 1]!++;
  });
  for (let t = 0; t < terms; t++) {
    size[t + 1]! += size[t]!;
    listStart[t + 1]! += listStart[t]!;
  }
  const chunks = new Uint16Array(listStart[terms]!);
  const chunkStart = new Uint32Array(chunks.length + 1).fill(collected.term.length);
  const places = new Uint16Array(collected.term.length);
  const impacts = new Uint8Array(collected.term.length);
  const nextChunk = listStart.slice();
  lastChunk.fill(0);
  visitAll((list, doc, i) => {
    const at = size[list]!++;
    if (isNewChunk(list, doc)) {
      const chunk = nextChunk[list]!++;
      chunks[chunk] = doc / CHUNK;
      chunkStart[chunk] = at;
    }
    places[at] = doc % CHUNK;
    impacts[at] = collected.impact.at(i);
  });
  return { listStart, chunks, chunkStart, places, impacts };
}

function renumber(
  termsOfSurface: ReadonlyMap<string, readonly number[]>,
  rankOfTerm: Uint32Array,
): Map<string, number[]> {
  return new Map([...termsOfSurface].map(([word, ids]) => [word, ids.map((id) => rankOfTerm[id]!)]));
}

/** The facts of documents, one after the other. */
function createColumns() {
  const [level, minutes, popularity, lat, lon] = Array.from({ length: 5 }, createGrowableFloat32) as Floats;
  const [ageMin, ageMax, free] = Array.from({ length: 3 }, createGrowableUint8) as Bytes;
  const idHash = createGrowableUint32();
  return {
    add(document: ObjectDocument): void {
      level.push(document.level ?? Number.NaN);
      minutes.push(document.minutes ?? Number.NaN);
      popularity.push(document.isDead ? DEAD_POPULARITY : (document.popularity ?? Number.NaN));
      lat.push(document.lat ?? Number.NaN);
      lon.push(document.lon ?? Number.NaN);
      ageMin.push(document.ageMin ?? NO_AGE);
      ageMax.push(document.ageMax ?? NO_AGE);
      free.push(document.free === undefined ? 0 : document.free ? 1 : 2);
      idHash.push(hashString(document.id));
    },
    finish: (): Columns => ({
      level: level.finish(),
      minutes: minutes.finish(),
      popularity: popularity.finish(),
      lat: lat.finish(),
      lon: lon.finish(),
      ageMin: ageMin.finish(),
      ageMax: ageMax.finish(),
      free: free.finish(),
      idHash: idHash.finish(),
    }),
  };
}
type Float = Growable<Float32Array>;
type Floats = [Float, Float, Float, Float, Float];
type Bytes = [Growable<Uint8Array>, Growable<Uint8Array>, Growable<Uint8Array>];

const valuesOf: Readonly<Record<ValueField, (document: ObjectDocument) => readonly string[]>> = {
  provider: (document) => [document.provider],
  type: (document) => document.types,
  bloom: (document) => document.blooms,
  lang: (document) => [document.lang],
};

/** The documents of each value. */
function createValues() {
  const documentsOf = new Map(valueFields.map((field) => [field, new Map<string, Growable<Uint32Array>>()]));
  return {
    add(document: ObjectDocument, ordinal: number): void {
      for (const [field, known] of documentsOf) {
        const values = valuesOf[field](document);
        for (const value of values.length > 0 ? values : [UNKNOWN_VALUE]) {
          let own = known.get(value);
          if (own === undefined) {
            own = createGrowableUint32();
            known.set(value, own);
          }
          own.push(ordinal);
        }
      }
    },
    finish(count: number): Segment['valueSets'] {
      const entries = Array.from(documentsOf, ([field, known]): [ValueField, ValueSets] => {
        const sets = Array.from(known.values(), (documents) => {
          const set = createBitset(count);
          for (const doc of documents.finish()) setBit(set, doc);
          return set;
        });
        return [field, { values: [...known.keys()], sets }];
      });
      return Object.fromEntries(entries) as Record<ValueField, ValueSets>;
    },
  };
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
