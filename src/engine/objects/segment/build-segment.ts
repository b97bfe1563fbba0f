import { enlarge, sortByKey } from '#engine/arrays';
import { clearBit, createFullBitset } from '#engine/bitset';
import { buildStringTable, sortStringsByBytes } from '#engine/string-table';
import type { ObjectDocument } from '../types.ts';
import { combineValues, createColumns, createValues, createVectors } from './collect-facts.ts';
import { createIdTable } from './ids.ts';
import { buildLexicon } from './lexicon.ts';
import { CHUNK, type Postings } from './postings.ts';
import { createDocumentReader } from './read-document.ts';
import { type LiveSegment, listValueSets, type Segment } from './segment.ts';

/** A segment in the making. Each document is read as it comes, and only what is found in it is kept. */
interface SegmentBuilder {
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

/** Postings as they are found, document by document, for `finish` to make a list of for each term. */
interface PostingsCollector {
  /** Add a term of the current document, once for each document. */
  add(term: number, impact: number): void;
  endDocument(): void;
  /** To be called once.
   *  @param rankOfTerm number of its list, by term */
  finish(rankOfTerm: Uint32Array): Postings;
}

/** The postings of one chunk of documents, grouped by term: what a list has of this chunk, so that lists are put together of whole pieces. */
interface Run {
  readonly terms: Uint32Array;
  /** Where the postings of each term end. */
  readonly ends: Uint32Array;
  readonly places: Uint16Array;
  readonly impacts: Uint8Array;
}

/** Shorter pieces are copied faster one by one. */
const LONG_PIECE = 32;

export function createPostingsCollector(): PostingsCollector {
  const runs: Run[] = [];
  // Of the current chunk, in order of its documents.
  let terms = new Uint32Array(1 << 10);
  let places = new Uint16Array(1 << 10);
  let impacts = new Uint8Array(1 << 10);
  let count = 0;
  let place = 0;
  /** By term: its postings in the chunk. */
  let counts = new Uint32Array(1 << 10);
  const present: number[] = [];

  function makeRoom(): void {
    terms = enlarge(terms);
    places = enlarge(places);
    impacts = enlarge(impacts);
  }

  /** Counting sort by term; it is stable, so each piece stays ascending by document. */
  function endChunk(): void {
    const run: Run = {
      terms: Uint32Array.from(present),
      ends: new Uint32Array(present.length),
      places: new Uint16Array(count),
      impacts: new Uint8Array(count),
    };
    let end = 0;
    for (const [i, term] of present.entries()) {
      const start = end;
      end += counts[term]!;
      counts[term] = start;
      run.ends[i] = end;
    }
    for (let i = 0; i < count; i++) {
      const at = counts[terms[i]!]!++;
      run.places[at] = places[i]!;
      run.impacts[at] = impacts[i]!;
    }
    runs.push(run);
    for (const term of present) counts[term] = 0;
    present.length = 0;
    count = 0;
    place = 0;
  }

  return {
    add(term, impact) {
      if (count === terms.length) makeRoom();
      terms[count] = term;
      places[count] = place;
      impacts[count++] = impact;
      if (term >= counts.length) counts = enlarge(counts, term + 1);
      if (counts[term]!++ === 0) present.push(term);
    },
    endDocument() {
      if (++place === CHUNK) endChunk();
    },
    finish(rankOfTerm) {
      if (place > 0) endChunk();
      return joinRuns(runs, rankOfTerm);
    },
  };
}

/** @param runs are let go of one by one: there is no room for all of them beside the lists */
function joinRuns(runs: Run[], rankOfTerm: Uint32Array): Postings {
  const lists = rankOfTerm.length;
  const listStart = new Uint32Array(lists + 1);
  const next = new Uint32Array(lists + 1);
  for (const { terms, ends } of runs) {
    for (const [i, term] of terms.entries()) {
      listStart[rankOfTerm[term]! + 1]!++;
      next[rankOfTerm[term]! + 1]! += ends[i]! - (ends[i - 1] ?? 0);
    }
  }
  for (let list = 0; list < lists; list++) {
    listStart[list + 1]! += listStart[list]!;
    next[list + 1]! += next[list]!;
  }
  const total = next[lists]!;
  const chunks = new Uint16Array(listStart[lists]!);
  const chunkStart = new Uint32Array(chunks.length + 1).fill(total);
  const places = new Uint16Array(total);
  const impacts = new Uint8Array(total);
  const nextChunk = listStart.slice();
  runs.reverse();
  for (let chunk = 0, run = runs.pop(); run !== undefined; chunk++, run = runs.pop()) {
    let from = 0;
    for (const [i, term] of run.terms.entries()) {
      const list = rankOfTerm[term]!;
      const to = run.ends[i]!;
      const at = next[list]!;
      chunks[nextChunk[list]!] = chunk;
      chunkStart[nextChunk[list]!++] = at;
      copy(run.places, places, { from, to, at });
      copy(run.impacts, impacts, { from, to, at });
      next[list] = at + to - from;
      from = to;
    }
  }
  return { listStart, chunks, chunkStart, places, impacts };
}

function copy<T extends Uint8Array | Uint16Array>(
  source: T,
  target: T,
  { from, to, at }: { from: number; to: number; at: number },
): void {
  if (to - from >= LONG_PIECE) target.set(source.subarray(from, to), at);
  else for (let i = from; i < to; i++) target[at + i - from] = source[i]!;
}
