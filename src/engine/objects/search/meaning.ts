import { type Bitset, createBitset, createFullBitset, hasBit, uniteInto } from '../../bitset.ts';
import { measureCosines } from '../../vectors/scan.ts';
import { listIds } from '../segment/ids.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import type { ObjectMeaning, ObjectQuery, ObjectVectors } from '../types.ts';
import { LEAST_USUAL, meaningWeights } from '../weights.ts';

/** How near the documents of a segment are in meaning to what is asked: 0 where no nearer than documents usually are, 1 for the
 *  same. */
export interface SegmentMeaning {
  /** By document. */
  readonly likeness: Float32Array;
  /** The same where the model reads what is asked and the document, and 0 elsewhere. */
  readonly evidence: Float32Array;
  /** Documents that are shown whatever their words are, ascending. */
  readonly near: Uint32Array;
}

/** Cosines are summed up in whole steps: the order of the documents makes no difference. */
const STEPS = 2 ** 20;

/** How near the documents are, by segment; undefined where words alone decide.
 *  @param lang language of the query; null where it is open, or a filter names one */
export function measureMeaning(
  segments: readonly LiveSegment[],
  { meaning, model, filters }: Pick<ObjectQuery, 'meaning' | 'model' | 'filters'>,
  lang: string | null,
): readonly SegmentMeaning[] | undefined {
  if (meaning === undefined || model === 'strict') return undefined;
  const measured = segments.map((live) => measureSegment(live, meaning));
  const count = measured.reduce((all, own) => all + own.count, 0);
  const isKnown = count >= LEAST_USUAL;
  const usual = isKnown ? measured.reduce((all, own) => all + own.sum, 0) / STEPS / count : 0;
  const { langs } = meaning;
  const asked = lang === null ? (filters.lang?.values ?? []) : [lang];
  const isRead = isKnown && (langs === null || asked.every((own) => langs.includes(own)));
  return measured.map(({ rows, cosines }, s) => {
    const { segment } = segments[s]!;
    const read = isRead ? findRead(segment, langs) : createBitset(segment.count);
    return toMeaning(segment, rows, { cosines, usual, read });
  });
}

/** The vectors of a segment's documents. */
interface SegmentRows {
  /** Those that have one, in the order of their rows: memory is four times as fast when it is read as it stands. */
  readonly docs: Uint32Array;
  /** Ascending. */
  readonly rows: Uint32Array;
}

function measureSegment({ segment, live }: LiveSegment, { vectors, vector }: ObjectMeaning) {
  const rows = findRows(segment, vectors);
  const cosines = measureCosines(vectors.rows, [vector], rows.rows);
  let [sum, count] = [0, 0];
  for (let i = 0; i < cosines.length; i++) {
    const isLive = Number(hasBit(live, rows.docs[i]!));
    sum += isLive * Math.round(cosines[i]! * STEPS);
    count += isLive;
  }
  return { rows, cosines, sum, count };
}

const known = new WeakMap<ObjectVectors, WeakMap<Segment, SegmentRows>>();

/** Looked up once: each document is asked for by its id. */
function findRows(segment: Segment, vectors: ObjectVectors): SegmentRows {
  const own = known.get(vectors) ?? new WeakMap<Segment, SegmentRows>();
  known.set(vectors, own);
  let found = own.get(segment);
  if (found === undefined) {
    const all = Int32Array.from(listIds(segment.ids), (id) => vectors.rowOf(id));
    const docs = Uint32Array.from(all.keys())
      .filter((doc) => all[doc]! >= 0)
      .sort((a, b) => all[a]! - all[b]!);
    found = { docs, rows: Uint32Array.from(docs, (doc) => all[doc]!) };
    own.set(segment, found);
  }
  return found;
}

/** Documents in a language that the model reads. */
function findRead({ count, valueSets }: Segment, langs: ObjectMeaning['langs']): Bitset {
  if (langs === null) return createFullBitset(count);
  const read = createBitset(count);
  for (const [v, lang] of valueSets.lang.values.entries())
    if (langs.includes(lang)) uniteInto(read, valueSets.lang.sets[v]!);
  return read;
}

function toMeaning(
  { count }: Segment,
  { docs }: SegmentRows,
  { cosines, usual, read }: { readonly cosines: Float32Array; readonly usual: number; readonly read: Bitset },
): SegmentMeaning {
  const likeness = new Float32Array(count);
  const evidence = new Float32Array(count);
  const near: number[] = [];
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const own = Math.fround(Math.max(0, (cosines[i]! - usual) / (1 - usual || 1)));
    likeness[doc] = own;
    if (!hasBit(read, doc)) continue;
    evidence[doc] = own;
    if (own >= meaningWeights.near) near.push(doc);
  }
  return { likeness, evidence, near: Uint32Array.from(near).sort() };
}
