import type { Source } from './posting-sources.ts';
import { seekDoc } from './seek-doc.ts';

/** A list this many times as long as there are candidates is searched for them instead of read. */
const SEEK_RATIO = 16;

/** The documents that are in every one of several lists of alternatives, worth the mean of the best of each list.
 *  @param lists by word of a phrase, where each alternative form of the word is */
export function intersectSources(lists: readonly (readonly Source[])[]): readonly Source[] {
  // The rarest first: most of its documents fail at the next word already.
  const [rarest = [], ...others] = [...lists].sort((a, b) => sizeOf(a) - sizeOf(b));
  if (rarest.length === 0 || others.length === 0) return rarest;
  const docs = docsOf(rarest);
  const sums = new Uint16Array(docs.length);
  let count = addBest(rarest, { docs, sums, count: docs.length });
  for (const word of others) {
    if (count > 0) count = addBest(word, { docs, sums, count });
  }
  if (count === 0) return [];
  const impacts = Uint8Array.from(sums.subarray(0, count), (sum) => Math.round(sum / lists.length));
  return [{ ...rarest[0]!, docs: docs.slice(0, count), impacts }];
}

/** Documents that have all words so far, ascending, and what these are worth together. */
interface Candidates {
  readonly docs: Uint32Array;
  readonly sums: Uint16Array;
  readonly count: number;
}

/** Add the best of a word's alternatives to each candidate; those without any are dropped.
 *  @return how many are left */
function addBest(alternatives: readonly Source[], candidates: Candidates): number {
  const { docs, sums, count } = candidates;
  const best = new Uint8Array(count);
  for (const source of alternatives) takeBest(source, candidates, best);
  let left = 0;
  for (let i = 0; i < count; i++) {
    if (best[i] === 0) continue;
    docs[left] = docs[i]!;
    sums[left++] = sums[i]! + best[i]!;
  }
  return left;
}

function takeBest({ docs, impacts }: Source, candidates: Candidates, best: Uint8Array): void {
  const isLong = docs.length > SEEK_RATIO * candidates.count;
  let at = 0;
  for (let i = 0; i < candidates.count; i++) {
    const doc = candidates.docs[i]!;
    if (isLong) at = seekDoc(docs, doc, at);
    else while (at < docs.length && docs[at]! < doc) at++;
    if (at === docs.length) return;
    if (docs[at] === doc && impacts[at]! > best[i]!) best[i] = impacts[at]!;
  }
}

/** Each document once, ascending; an array of its own. */
function docsOf([first, ...others]: readonly Source[]): Uint32Array {
  let all = first!.docs;
  for (const { docs } of others) all = mergeDocs(all, docs);
  return others.length === 0 ? all.slice() : all;
}

/** Documents of either of two ascending lists, each once. */
function mergeDocs(one: Uint32Array, other: Uint32Array): Uint32Array {
  const all = new Uint32Array(one.length + other.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const [a, b] = [one[i]!, other[j]!];
    all[count++] = a < b ? a : b;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  while (i < one.length) all[count++] = one[i++]!;
  while (j < other.length) all[count++] = other[j++]!;
  return all.subarray(0, count);
}

function sizeOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { docs }) => sum + docs.length, 0);
}
