import { type Bitset, createBitset, hasBit, uniteInto } from '#engine/bitset';
import { findRowsNear, measureCosines } from '#engine/vectors/scan';
import type { VectorRows } from '#engine/vectors/vectors';
import type { InterpretedQuery } from '../query/interpret-query.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import { LEAST_USUAL, meaningWeights } from '../weights.ts';
import { measureUsual } from './usual-meaning.ts';

/** How near the documents of a segment are in meaning to what is asked. */
export interface SegmentMeaning extends QueryMeaning {
  readonly rows: VectorRows | undefined;
  /** By document, where it was measured: of those that are near, and of those that words find. */
  readonly cosines: Float32Array;
  /** Documents whose language the encoder reads; none where it does not read what is asked. */
  readonly read: Bitset;
  /** Documents that are shown whatever their words are, ascending. */
  readonly near: readonly number[];
}

/** What a query means, and how near documents usually are to it. */
export interface QueryMeaning {
  /** Of length 1. */
  readonly vector: Float32Array;
  readonly usual: number;
  /** Languages in which nearness is evidence; none where the query is of another one, or what is usual is not known. */
  readonly langs: readonly string[];
}

export interface MeasuredMeaning extends QueryMeaning {
  readonly bySegment: readonly SegmentMeaning[];
}

/** How near the documents are, by segment; undefined where words alone decide.
 *  @param understood language of the query, null where it is open, or a filter names one; and what its typos stand for */
export function measureMeaning(
  segments: readonly LiveSegment[],
  { meaning, keywords, model, filters }: ObjectQuery,
  { lang, corrections }: Pick<InterpretedQuery, 'lang' | 'corrections'>,
): MeasuredMeaning | undefined {
  if (meaning === undefined || model === 'strict') return undefined;
  const vector = meaning.encode(keywords, corrections);
  if (vector.every((value) => value === 0)) return undefined;
  const { count, mean } = measureUsual(segments, vector);
  const isKnown = count >= LEAST_USUAL;
  const usual = isKnown ? mean : 0;
  const asked = lang === null ? (filters.lang?.values ?? []) : [lang];
  const isRead = isKnown && asked.every((own) => meaning.langs.includes(own));
  const query = { vector, usual, langs: isRead ? meaning.langs : [] };
  return { ...query, bySegment: segments.map(({ segment }) => measureSegment(segment, query)) };
}

/** Documents in a language that the encoder reads. */
function findRead({ count, valueSets }: Segment, langs: readonly string[]): Bitset {
  const read = createBitset(count);
  for (const [v, lang] of valueSets.lang.values.entries())
    if (langs.includes(lang)) uniteInto(read, valueSets.lang.sets[v]!);
  return read;
}

function measureSegment(segment: Segment, query: QueryMeaning): SegmentMeaning {
  const { vectors: rows, isExternal = false } = segment;
  const { vector, usual, langs } = query;
  const near: number[] = [];
  const cosines = new Float32Array(isExternal ? 0 : segment.count);
  const meaning = { ...query, rows, cosines, read: findRead(segment, langs), near };
  if (rows === undefined || isExternal || langs.length === 0) return meaning;
  const least = usual + meaningWeights.near * (1 - usual);
  const candidates = findRowsNear(rows, vector, least);
  measureDocuments(meaning, candidates);
  for (const doc of candidates) if (findEvidence(meaning, doc) >= meaningWeights.near) near.push(doc);
  return meaning;
}

/** Before their likeness is asked for. */
export function measureDocuments({ rows, vector, cosines }: SegmentMeaning, documents: Uint32Array): void {
  if (rows === undefined) return;
  const measured = measureCosines(rows, [vector], documents);
  for (let i = 0; i < documents.length; i++) cosines[documents[i]!] = measured[i]!;
}

/** 0 where a document is no nearer than documents usually are, 1 for the same. */
export function findLikeness({ cosines, usual }: SegmentMeaning, doc: number): number {
  return Math.fround(Math.max(0, toLikeness(cosines[doc]!, usual)));
}

/** The same where the encoder reads what is asked and the document, and 0 elsewhere. */
export function findEvidence(meaning: SegmentMeaning, doc: number): number {
  return hasBit(meaning.read, doc) ? findLikeness(meaning, doc) : 0;
}

/** A cosine on a scale that begins with what is usual. */
export function toLikeness(cosine: number, usual: number): number {
  return (cosine - usual) / (1 - usual || 1);
}
