import { type Bitset, createBitset, hasBit, uniteInto } from '../../bitset.ts';
import { measureCosines } from '../../vectors/scan.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import { LEAST_USUAL, meaningWeights } from '../weights.ts';

/** How near the documents of a segment are in meaning to what is asked: 0 where no nearer than documents usually are, 1 for the
 *  same. */
export interface SegmentMeaning {
  /** By document. */
  readonly likeness: Float32Array;
  /** The same where the encoder reads what is asked and the document, and 0 elsewhere. */
  readonly evidence: Float32Array;
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

/** Cosines are summed up in whole steps: the order of the documents makes no difference. */
const STEPS = 2 ** 20;

/** How near the documents are, by segment; undefined where words alone decide.
 *  @param lang language of the query; null where it is open, or a filter names one */
export function measureMeaning(
  segments: readonly LiveSegment[],
  { meaning, keywords, model, filters }: ObjectQuery,
  lang: string | null,
): MeasuredMeaning | undefined {
  if (meaning === undefined || model === 'strict') return undefined;
  const vector = meaning.encode(keywords);
  if (vector.every((value) => value === 0)) return undefined;
  const measured = segments.map((live) => measureSegment(live, vector));
  const count = measured.reduce((all, own) => all + own.count, 0);
  const isKnown = count >= LEAST_USUAL;
  const usual = isKnown ? measured.reduce((all, own) => all + own.sum, 0) / STEPS / count : 0;
  const asked = lang === null ? (filters.lang?.values ?? []) : [lang];
  const isRead = isKnown && asked.every((own) => meaning.langs.includes(own));
  const query = { vector, usual, langs: isRead ? meaning.langs : [] };
  const bySegment = measured.map(({ cosines }, s) => toMeaning(cosines, segments[s]!.segment, query));
  return { ...query, bySegment };
}

/** Of documents that are elsewhere there is one row, the mean of theirs: its cosine is the mean of their cosines. */
function measureSegment({ segment, live, liveCount }: LiveSegment, vector: Float32Array) {
  const { vectors } = segment;
  if (vectors === undefined) return { cosines: new Float32Array(segment.idOrder.length), sum: 0, count: 0 };
  const cosines = measureCosines(vectors, [vector]);
  const toSteps = (row: number) => Math.round(cosines[row]! * STEPS);
  if (segment.isElsewhere)
    return { cosines: new Float32Array(), sum: toSteps(0) * liveCount, count: liveCount };
  let [sum, count] = [0, 0];
  for (let doc = 0; doc < cosines.length; doc++) {
    if (vectors.scales[doc] === 0 || !hasBit(live, doc)) continue;
    sum += toSteps(doc);
    count++;
  }
  return { cosines, sum, count };
}

/** Documents in a language that the encoder reads. */
function findRead({ count, valueSets }: Segment, langs: readonly string[]): Bitset {
  const read = createBitset(count);
  for (const [v, lang] of valueSets.lang.values.entries())
    if (langs.includes(lang)) uniteInto(read, valueSets.lang.sets[v]!);
  return read;
}

function toMeaning(
  cosines: Float32Array,
  segment: Segment,
  { usual, langs }: Omit<QueryMeaning, 'vector'>,
): SegmentMeaning {
  const likeness = new Float32Array(cosines.length);
  const evidence = new Float32Array(cosines.length);
  const near: number[] = [];
  const read = findRead(segment, langs);
  for (let doc = 0; doc < cosines.length; doc++) {
    const own = toLikeness(cosines[doc]!, usual);
    if (own <= 0) continue;
    likeness[doc] = own;
    if (!hasBit(read, doc)) continue;
    evidence[doc] = own;
    if (own >= meaningWeights.near) near.push(doc);
  }
  return { likeness, evidence, near };
}

/** A cosine on a scale that begins with what is usual. */
export function toLikeness(cosine: number, usual: number): number {
  return (cosine - usual) / (1 - usual || 1);
}
