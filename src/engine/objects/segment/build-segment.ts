import { sortByKey } from '#engine/arrays';
import { clearBit, createFullBitset } from '#engine/bitset';
import { buildStringTable, sortStringsByBytes } from '#engine/string-table';
import type { ObjectDocument } from '../types.ts';
import { createColumns, createValues, createVectors } from './collect-facts.ts';
import { createPostingsCollector } from './collect-postings.ts';
import { combineValues } from './combinations.ts';
import { createIdTable } from './ids.ts';
import { buildLexicon } from './lexicon.ts';
import { createDocumentReader } from './read-document.ts';
import { type LiveSegment, listValueSets, type Segment } from './segment.ts';

/** A segment in the making. Each document is read as it comes, and only what is found in it is kept. */
export interface SegmentBuilder {
  /** Documents so far, also those that are gone again. */
  readonly count: number;
  /** A document with a known id takes the place of the one before. */
  add(document: ObjectDocument): void;
  /** @return whether there was one */
  remove(id: string): boolean;
  finish(): LiveSegment;
}

export function createSegmentBuilder(): SegmentBuilder {
  const reader = createDocumentReader();
  const postings = createPostingsCollector();
  const columns = createColumns();
  const values = createValues();
  const vectors = createVectors();
  const idTable = createIdTable();
  const gone = new Set<number>();
  return {
    get count() {
      return idTable.count;
    },
    add(document) {
      reader.read(document, postings.add);
      postings.endDocument();
      columns.add(document);
      values.add(document, idTable.count);
      vectors.add(document.vector);
      const before = idTable.add(document.id);
      if (before >= 0) gone.add(before);
    },
    remove(id) {
      const doc = idTable.find(id);
      if (doc < 0 || gone.has(doc)) return false;
      gone.add(doc);
      return true;
    },
    finish() {
      const { count } = idTable;
      const { table, rankOfTerm } = sortDocumentTerms(reader.terms);
      const { ids, idHash } = idTable.finish();
      const valueSets = values.finish(count);
      const live = createFullBitset(count);
      for (const doc of gone) clearBit(live, doc);
      const segment: Segment = {
        count,
        terms: table,
        postings: postings.finish(rankOfTerm),
        lexicon: buildLexicon(renumberTerms(reader.termsOfSurface, rankOfTerm)),
        columns: columns.finish(idHash),
        ids,
        idOrder: orderByHash(idHash),
        valueSets,
        combinations: combineValues(count, listValueSets(valueSets)),
        ...vectors.finish(),
      };
      return { segment, live, liveCount: count - gone.size };
    },
  };
}

/** Build a segment of documents with distinct ids. */
export function buildSegment(documents: Iterable<ObjectDocument>): Segment {
  const builder = createSegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.finish().segment;
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
