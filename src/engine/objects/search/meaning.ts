import { type Bitset, createBitset, hasBit } from '#engine/bitset';
import { getOrAdd } from '#engine/maps';
import { measureCosines } from '#engine/vectors/scan';
import { findCandidateRows, prepareSieve } from '#engine/vectors/sieve';
import type { VectorRows } from '#engine/vectors/vector-rows';
import type { InterpretedQuery } from '../query/interpret-query.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import { CONTEXT_SHARE, MIN_DOCUMENTS_FOR_NEARNESS, meaningWeights, SENTENCE_WORDS } from '../weights.ts';
import { selectByValues } from './filters.ts';

export interface SegmentMeaning extends QueryMeaning {
  readonly rows: VectorRows | undefined;
  /** By document, if measured in this search; all other values are from an earlier search. */
  readonly cosines: Float32Array;
  /** The documents in the encoder's languages; none if the query's language is not one. */
  readonly supported: Bitset;
}

export interface QueryMeaning {
  /** The vector of the keywords, of length 1. */
  readonly vector: Float32Array;
  /** The mean cosine of documents; 0 if it is unknown. */
  readonly usual: number;
  /** Languages in which nearness is evidence; none if the usual nearness is unknown. */
  readonly langs: readonly string[];
}

/** Encodes the keywords, and prepares their comparison with the documents of each segment.
 *  @returns undefined if only words decide */
export function measureMeaning(
  segments: readonly LiveSegment[],
  { meaning, keywords, model, filters }: ObjectQuery,
  interpretation: Pick<InterpretedQuery, 'lang' | 'corrections' | 'groups'>,
): (QueryMeaning & { readonly bySegment: readonly SegmentMeaning[] }) | undefined {
  if (meaning === undefined || model === 'strict') return undefined;
  const { lang, corrections, groups } = interpretation;
  const encoded = getOrAdd(encodedQueries, interpretation, () =>
    measureUsualMeaning(segments, meaning.encode(chooseEncodedText(keywords, groups), corrections)),
  );
  const { vector, count, mean } = encoded;
  if (vector.every((value) => value === 0)) return undefined;
  const isUsualMeasured = count >= MIN_DOCUMENTS_FOR_NEARNESS;
  // Not below 0: a document without a vector has a cosine of 0 and must get no likeness.
  const usual = isUsualMeasured ? Math.max(0, mean) : 0;
  const requestedLangs = lang === null ? (filters.lang?.values ?? []) : [lang];
  const isRead = isUsualMeasured && requestedLangs.every((each) => meaning.langs.includes(each));
  const query = { vector, usual, langs: isRead ? meaning.langs : [] };
  return { ...query, bySegment: segments.map(({ segment }) => measureSegmentMeaning(segment, query)) };
}

/** Encoded keywords by the interpretation of the same words in the same segments. */
const encodedQueries = new WeakMap<object, ReturnType<typeof measureUsualMeaning>>();

/** Chooses the text that is encoded: of a sentence, only the words that name its subject. */
function chooseEncodedText(keywords: string, groups: InterpretedQuery['groups']): string {
  const words = groups.filter(({ share }) => share !== CONTEXT_SHARE);
  const subject = words.filter(({ share }) => share === 1).map(({ word }) => word);
  return words.length >= SENTENCE_WORDS && subject.length > 0 ? subject.join(' ') : keywords;
}

const supportedDocuments = new WeakMap<Segment, Map<string, Bitset>>();

function findDocumentsInLanguages(segment: Segment, langs: readonly string[]): Bitset {
  const byLangs = getOrAdd(supportedDocuments, segment, () => new Map<string, Bitset>());
  return getOrAdd(byLangs, langs.join(), () => selectByValues(segment, 'lang', langs));
}

function measureSegmentMeaning(segment: Segment, query: QueryMeaning): SegmentMeaning {
  const { vectors: rows, isExternal = false } = segment;
  // Searches share the array: clearing one for a million documents takes longer than a search.
  const reuseCosines = (rows: VectorRows) => getOrAdd(cosinesByRows, rows, () => new Float32Array(rows.scales.length));
  const cosines = rows === undefined || isExternal ? NO_COSINES : reuseCosines(rows);
  return { ...query, rows, cosines, supported: findDocumentsInLanguages(segment, query.langs) };
}

/** Measures and finds the documents that are close whatever their words are, ascending. */
export function findNearMeanings(meaning: SegmentMeaning): readonly number[] {
  const { rows, cosines, vector, usual, langs } = meaning;
  if (cosines === NO_COSINES || rows === undefined || langs.length === 0) return [];
  const candidates = findCandidateRows(rows, vector, usual + meaningWeights.near * (1 - usual));
  measureDocumentMeanings(meaning, candidates);
  return [...candidates].filter((doc) => findMeaningEvidence(meaning, doc) >= meaningWeights.near);
}

const NO_COSINES = new Float32Array();
const cosinesByRows = new WeakMap<VectorRows, Float32Array>();

export function measureDocumentMeanings({ rows, vector, cosines }: SegmentMeaning, documents: Uint32Array): void {
  if (rows === undefined) return;
  const measured = measureCosines(rows, [vector], documents);
  for (let i = 0; i < documents.length; i++) cosines[documents[i]!] = measured[i]!;
}

/** Returns 0 if a document is no nearer than usual, 1 for the same meaning. */
export function findMeaningLikeness({ cosines, usual }: SegmentMeaning, doc: number): number {
  return Math.fround(Math.max(0, toMeaningLikeness(cosines[doc] ?? 0, usual)));
}

/** Returns the likeness if the encoder supports the languages of query and document, else 0. */
export function findMeaningEvidence(meaning: SegmentMeaning, doc: number): number {
  return hasBit(meaning.supported, doc) ? findMeaningLikeness(meaning, doc) : 0;
}

/** Tells whether a document is hardly nearer than usual, so that a few words are too few. */
export function isUnlikeMeaning(meaning: SegmentMeaning, doc: number): boolean {
  const { rows, supported } = meaning;
  if (rows === undefined || rows.scales[doc] === 0 || !hasBit(supported, doc)) return false;
  return findMeaningLikeness(meaning, doc) < meaningWeights.close;
}

/** Converts a cosine to a scale on which the usual nearness is 0 and the same meaning 1. */
export const toMeaningLikeness = (cosine: number, usual: number): number => (cosine - usual) / (1 - usual || 1);

/** A sum of vectors in integers, so that the order of additions has no effect. */
type VectorSum = { readonly steps: Float64Array; count: number; readonly documents: Bitset };

/** The steps of a unit in a sum: the sum of a million rows stays below 2^53. */
const STEPS = 2 ** 30;

const sums = new WeakMap<VectorRows, VectorSum>();

/** Measures the mean cosine of a vector and all documents that have one, by cached sums. */
function measureUsualMeaning(
  segments: readonly LiveSegment[],
  vector: Float32Array,
): { readonly vector: Float32Array; readonly count: number; readonly mean: number } {
  const total = new Float64Array(vector.length);
  let count = 0;
  for (const { segment, live, liveCount } of segments) {
    const { vectors, isExternal = false } = segment;
    if (vectors === undefined) continue;
    // An external segment has one row, the mean of its documents.
    const { steps, count: rows } = sumMeaningRows(vectors, isExternal ? Uint32Array.of(1) : live);
    const times = isExternal ? liveCount : 1;
    for (let k = 0; k < total.length; k++) total[k]! += steps[k]! * times;
    count += rows * times;
  }
  let sum = 0;
  for (let k = 0; k < total.length; k++) sum += total[k]! * vector[k]!;
  return { vector, count, mean: count === 0 ? 0 : sum / STEPS / count };
}

/** The documents of a step, which takes some milliseconds. */
const STEP = 2 ** 12;

/** Sums up vectors and copies their leading numbers in steps, instead of in the first search. */
export function* prepareMeaning(segments: readonly LiveSegment[]): Generator<void> {
  for (const { segment, live } of segments) {
    const { vectors, isExternal = false } = segment;
    if (vectors === undefined || isExternal) continue;
    for (let end = 0; end < live.length; yield) {
      end = Math.min(live.length, end + STEP / 32);
      sumMeaningRows(vectors, live, end);
    }
    yield* prepareSieve(vectors);
  }
}

/** Brings the sum of the vectors of live documents up to date. @param end only for the first
 *  words of the set */
function sumMeaningRows(vectors: VectorRows, live: Bitset, end = live.length): VectorSum {
  const sum = getOrAdd(sums, vectors, () => ({
    steps: new Float64Array(vectors.dimensions),
    count: 0,
    documents: createBitset(vectors.scales.length),
  }));
  for (let w = 0; w < end; w++) {
    const changed = sum.documents[w]! ^ live[w]!;
    if (changed === 0) continue;
    for (let bit = 0; bit < 32; bit++)
      if ((changed >>> bit) & 1)
        addMeaningRow(sum, vectors, { row: 32 * w + bit, sign: (live[w]! >>> bit) & 1 ? 1 : -1 });
    sum.documents[w] = live[w]!;
  }
  return sum;
}

function addMeaningRow(
  sum: VectorSum,
  { bytes, scales, dimensions }: VectorRows,
  { row, sign }: { readonly row: number; readonly sign: number },
): void {
  const scale = sign * Math.round(scales[row]! * STEPS);
  if (scale === 0) return;
  sum.count += sign;
  for (let k = 0, at = row * dimensions; k < dimensions; k++, at++) sum.steps[k]! += scale * bytes[at]!;
}
