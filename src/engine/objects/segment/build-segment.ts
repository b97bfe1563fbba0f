import { enlarge, orderByKey } from '#engine/arrays';
import { clearBit, createFullBitset } from '#engine/bitset';
import { buildStringTable, sortStringsByBytes } from '#engine/string-table';
import type { ObjectDocument } from '../types.ts';
import { collectFactVectors, combineFactValues, createFactColumns, createFactValues } from './collect-facts.ts';
import { addId, createIdTable, findId, packIds } from './ids.ts';
import { buildLexicon } from './lexicon.ts';
import { CHUNK, type Postings } from './postings.ts';
import { createDocumentReader, forEachDocumentTerm } from './read-document.ts';
import { type LiveSegment, listSegmentValueSets, type Segment } from './segment.ts';

export type SegmentBuilder = ReturnType<typeof createSegmentBuilder>;

/** Builds a segment document by document; it stores only the facts that the index needs. */
export function createSegmentBuilder() {
  const reader = createDocumentReader();
  const postings = beginSegmentPostings();
  const add = (term: number, impact: number) => addSegmentPosting(postings, term, impact);
  const columns = createFactColumns();
  const values = createFactValues();
  const vectors = collectFactVectors();
  const ids = createIdTable();
  const removed = new Set<number>();
  return {
    get count() {
      return ids.hashes.length;
    },
    /** Adds a document, or replaces the one with the same id. */
    add(document: ObjectDocument): void {
      forEachDocumentTerm(reader, document, add);
      endSegmentDocument(postings);
      columns.add(document);
      values.add(document, ids.hashes.length);
      vectors.add(document.vector);
      const before = addId(ids, document.id);
      if (before >= 0) removed.add(before);
    },
    /** @returns whether there was a document with this id */
    remove(id: string): boolean {
      const doc = findId(ids, id);
      if (doc < 0 || removed.has(doc)) return false;
      removed.add(doc);
      return true;
    },
    finish(): LiveSegment {
      const { vocabulary } = reader;
      const { table, rankOfTerm } = rankTerms(vocabulary.terms);
      const idHash = ids.hashes.finish();
      const count = idHash.length;
      const valueSets = values.finish(count);
      const live = createFullBitset(count);
      for (const doc of removed) clearBit(live, doc);
      const segment: Segment = {
        count,
        terms: table,
        postings: finishSegmentPostings(postings, rankOfTerm),
        lexicon: buildLexicon(renumberTerms(vocabulary.termsOfSurface, rankOfTerm)),
        columns: columns.finish(idHash),
        ids: packIds(ids),
        idOrder: orderByKey(idHash),
        valueSets,
        combinations: combineFactValues(count, listSegmentValueSets(valueSets)),
        ...vectors.finish(),
      };
      return { segment, live, liveCount: count - removed.size };
    },
  };
}

/** @param documents with distinct ids */
export function buildSegment(documents: Iterable<ObjectDocument>): Segment {
  const builder = createSegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.finish().segment;
}

/** Sorts terms. @returns the sorted table, and the number of each term in it */
export function rankTerms(terms: readonly string[]): { table: Segment['terms']; rankOfTerm: Uint32Array } {
  const sorted = sortStringsByBytes([...terms]);
  const ranks = new Map(sorted.map((term, rank) => [term, rank]));
  return { table: buildStringTable(sorted), rankOfTerm: Uint32Array.from(terms, (term) => ranks.get(term)!) };
}

export function renumberTerms(
  termsOfSurface: ReadonlyMap<string, readonly number[]>,
  rankOfTerm: Uint32Array,
): Map<string, number[]> {
  return new Map([...termsOfSurface].map(([word, ids]) => [word, ids.map((id) => rankOfTerm[id]!)]));
}

/** The postings of a chunk of documents, grouped by term, so that lists are copied in pieces. */
interface Run {
  readonly terms: Uint32Array;
  readonly ends: Uint32Array;
  readonly places: Uint16Array;
  readonly impacts: Uint8Array;
}

type CollectedPostings = ReturnType<typeof beginSegmentPostings>;

/** Collects the postings of full chunks, and of the current chunk in the order of its documents. */
export function beginSegmentPostings() {
  return {
    runs: [] as Run[],
    /** The postings of the current chunk; only the first `count` are valid. */
    terms: new Uint32Array(1 << 10),
    places: new Uint16Array(1 << 10),
    impacts: new Uint8Array(1 << 10),
    count: 0,
    /** The place of the current document in its chunk. */
    place: 0,
    /** By term: its postings in the current chunk. */
    counts: new Uint32Array(1 << 10),
    presentTerms: [] as number[],
  };
}

export function endSegmentDocument(postings: CollectedPostings): void {
  if (++postings.place === CHUNK) endSegmentChunk(postings);
}

/** Joins the chunks; to be called once. @param rankOfTerm the number of the list of each term */
export function finishSegmentPostings(postings: CollectedPostings, rankOfTerm: Uint32Array): Postings {
  if (postings.place > 0) endSegmentChunk(postings);
  return joinSegmentRuns(postings.runs, rankOfTerm);
}

/** Adds a posting of the current document, to be called once for each of its terms. */
export function addSegmentPosting(postings: CollectedPostings, term: number, impact: number): void {
  const at = postings.count++;
  if (at === postings.terms.length) {
    postings.terms = enlarge(postings.terms);
    postings.places = enlarge(postings.places);
    postings.impacts = enlarge(postings.impacts);
  }
  postings.terms[at] = term;
  postings.places[at] = postings.place;
  postings.impacts[at] = impact;
  if (term >= postings.counts.length) postings.counts = enlarge(postings.counts, term + 1);
  if (postings.counts[term]!++ === 0) postings.presentTerms.push(term);
}

/** Sorts the current chunk by term. The counting sort is stable, so that lists stay ascending. */
function endSegmentChunk(postings: CollectedPostings): void {
  const { terms, places, impacts, count, counts, presentTerms } = postings;
  const run: Run = {
    terms: Uint32Array.from(presentTerms),
    ends: new Uint32Array(presentTerms.length),
    places: new Uint16Array(count),
    impacts: new Uint8Array(count),
  };
  let end = 0;
  for (const [i, term] of presentTerms.entries()) {
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
  for (const term of presentTerms) counts[term] = 0;
  presentTerms.length = 0;
  postings.count = 0;
  postings.place = 0;
  postings.runs.push(run);
}

/** @param runs are released one by one, as memory does not hold all of them beside the lists */
function joinSegmentRuns(runs: Run[], rankOfTerm: Uint32Array): Postings {
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
      copyPiece(run.places, places, { from, to, at });
      copyPiece(run.impacts, impacts, { from, to, at });
      next[list] = at + to - from;
      from = to;
    }
  }
  return { listStart, chunks, chunkStart, places, impacts };
}

/** Shorter pieces are copied faster one by one. */
const LONG_PIECE = 32;

function copyPiece<T extends Uint8Array | Uint16Array>(
  source: T,
  target: T,
  { from, to, at }: { from: number; to: number; at: number },
): void {
  if (to - from >= LONG_PIECE) target.set(source.subarray(from, to), at);
  else for (let i = from; i < to; i++) target[at + i - from] = source[i]!;
}
