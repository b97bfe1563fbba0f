import { type DecodeOptions, decodeSnapshotStructure, encodeSnapshotStructure } from '#engine/snapshot';
import { countStrings, findStringLowerBound, readString } from '#engine/string-table';
import { createVectorRows } from '#engine/vectors/vector-rows';
import type { ObjectDocument } from '../types.ts';
import { TOPICAL_IMPACT } from '../weights.ts';
import { rankTerms, renumberTerms } from './build-segment.ts';
import { createFactColumns } from './collect-facts.ts';
import { buildIds } from './ids.ts';
import { buildLexicon } from './lexicon.ts';
import { createDocumentReader, forEachDocumentTerm } from './read-document.ts';
import { countSegmentDocuments, type LiveSegment, PUBLISHER_MARK, type Segment, TOPIC_MARK } from './segment.ts';

export interface ReadDocument {
  /** Each term with its impact, 1 to 255. */
  readonly impacts: readonly (readonly [term: string, impact: number])[];
  /** The words of its publishers, for the `publisher` filter. */
  readonly publisherWords: readonly string[];
}

const FORMAT = 'skilldock-words';
/** Raise this whenever the meaning of a section changes: older snapshots are then rebuilt. */
const VERSION = 6;

/** Builds the vocabulary of documents in another engine; its size hardly depends on theirs. */
export function createVocabularyBuilder() {
  const reader = createDocumentReader();
  const { vocabulary } = reader;
  /** By term: its number of documents, and of those that have it in their title or keywords. */
  const counts: number[] = [];
  const topical: number[] = [];
  const langs = new Set<string>();
  const vectors = createVocabularyVectorMean();
  let documents = 0;
  return {
    add(document: ObjectDocument): ReadDocument {
      const impacts: [string, number][] = [];
      const publisherWords: string[] = [];
      forEachDocumentTerm(reader, document, (id, impact) => {
        const term = vocabulary.terms[id]!;
        counts[id] = (counts[id] ?? 0) + 1;
        topical[id] = (topical[id] ?? 0) + Number(impact >= TOPICAL_IMPACT);
        if (term.startsWith(PUBLISHER_MARK)) publisherWords.push(term.slice(PUBLISHER_MARK.length));
        else if (!term.startsWith(TOPIC_MARK)) impacts.push([term, impact]);
      });
      langs.add(document.lang);
      vectors.add(document.vector);
      documents++;
      return { impacts, publisherWords: publisherWords.filter((word) => word !== '') };
    },
    finish(): Segment {
      const { table, rankOfTerm } = rankTerms(vocabulary.terms);
      const lexicon = buildLexicon(renumberTerms(vocabulary.termsOfSurface, rankOfTerm));
      const words = { terms: table, lexicon, counts, topical, rankOfTerm };
      return { ...toVocabularySegment({ ...words, documents, langs: [...langs] }), ...vectors.finish() };
    },
  };
}

function createVocabularyVectorMean() {
  let sum: Float64Array | undefined;
  let count = 0;
  return {
    add(vector: Float32Array | undefined): void {
      if (vector === undefined) return;
      sum ??= new Float64Array(vector.length);
      for (let k = 0; k < vector.length; k++) sum[k]! += vector[k]!;
      count++;
    },
    finish(): Pick<Segment, 'vectors'> {
      if (sum === undefined) return {};
      const rows = createVectorRows(sum.length);
      rows.push(Float32Array.from(sum, (value) => value / count));
      return { vectors: rows.finish() };
    },
  };
}

interface CountedTerms extends Pick<Segment, 'terms' | 'lexicon'> {
  readonly documents: number;
  readonly langs: readonly string[];
  readonly counts: readonly number[];
  readonly topical: readonly number[];
  readonly rankOfTerm: Uint32Array;
}

/** Makes a segment without documents: each posting list is one chunk that has only a length, and as
 *  its only impact the share of its documents that have the term in their title or keywords. */
function toVocabularySegment({ documents, langs, terms, lexicon, counts, topical, rankOfTerm }: CountedTerms): Segment {
  const listStart = Uint32Array.from({ length: counts.length + 1 }, (_, i) => i);
  const chunkStart = new Uint32Array(counts.length + 1);
  for (const [id, count] of counts.entries()) chunkStart[rankOfTerm[id]! + 1] = count;
  for (let i = 1; i < chunkStart.length; i++) chunkStart[i]! += chunkStart[i - 1]!;
  const impacts = new Uint8Array(counts.length);
  for (const [id, count] of counts.entries()) impacts[rankOfTerm[id]!] = Math.round((255 * topical[id]!) / count);
  const noNumbers = new Uint32Array();
  const noValues = { values: [], sets: [] };
  return {
    count: documents,
    terms,
    lexicon,
    postings: {
      listStart,
      chunks: new Uint16Array(counts.length),
      chunkStart,
      places: new Uint16Array(),
      impacts,
    },
    columns: createFactColumns().finish(noNumbers),
    ids: buildIds([]),
    idOrder: noNumbers,
    valueSets: {
      provider: noValues,
      type: noValues,
      bloom: noValues,
      lang: { values: langs, sets: langs.map(() => noNumbers) },
    },
    combinations: { of: new Uint16Array(), start: noNumbers, values: noNumbers },
    isExternal: true,
  };
}

/** @param meta facts about the source, which are stored with the segment */
export function saveVocabularySegment(segment: Segment, meta: unknown): Uint8Array {
  return encodeSnapshotStructure(FORMAT, VERSION, { structure: segment, meta });
}

/** Errors: SNAPSHOT_INVALID. */
export function loadVocabularySegment(block: Uint8Array, options?: DecodeOptions): LiveSegment {
  const segment = decodeSnapshotStructure(FORMAT, VERSION, block, options).structure as Segment;
  return { segment, live: new Uint32Array(), liveCount: segment.count };
}

/** Samples up to `limit` terms, spread evenly over the alphabet, with their number of documents. */
export function sampleVocabularyTerms(segment: Segment, limit: number): (readonly [term: string, documents: number])[] {
  const first = findStringLowerBound(segment.terms, FIRST_WORD);
  const words = countStrings(segment.terms) - first;
  return Array.from({ length: Math.min(limit, words) }, (_, i) => {
    const term = first + Math.floor((i * words) / Math.min(limit, words));
    return [readString(segment.terms, term), countSegmentDocuments(segment, term)];
  });
}

/** A text that sorts after the marks of publisher words and topics, and before all words. */
const FIRST_WORD = '0';
