import type { Source } from './posting-sources.ts';
import { seekDoc } from './seek-doc.ts';

/** The documents that are in every one of several lists of alternatives, worth the mean of the best of each list.
 *  @param lists by word of a phrase, where each alternative form of the word is */
export function intersectSources(lists: readonly (readonly Source[])[]): readonly Source[] {
  const rarest = lists.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
  if (rarest.length === 0 || lists.length === 1) return rarest;
  const readers = lists.map((sources) => sources.map(createReader));
  const docs: number[] = [];
  const impacts: number[] = [];
  for (const doc of distinctDocs(rarest)) {
    const found = readers.map((alternatives) => bestImpact(alternatives, doc));
    if (found.includes(0)) continue;
    docs.push(doc);
    impacts.push(Math.round(found.reduce((sum, impact) => sum + impact, 0) / found.length));
  }
  if (docs.length === 0) return [];
  return [{ ...rarest[0]!, docs: Uint32Array.from(docs), impacts: Uint8Array.from(impacts) }];
}

type Reader = (doc: number) => number;

function bestImpact(alternatives: readonly Reader[], doc: number): number {
  let best = 0;
  for (const impactOf of alternatives) best = Math.max(best, impactOf(doc));
  return best;
}

/** Ascending. */
function distinctDocs(sources: readonly Source[]): Iterable<number> {
  if (sources.length === 1) return sources[0]!.docs;
  return [...new Set(sources.flatMap(({ docs }) => [...docs]))].sort((a, b) => a - b);
}

/** Impact of a document in a list, 0 where it is not in it; to be asked in ascending order. */
function createReader({ docs, impacts }: Source): Reader {
  let position = 0;
  return (doc) => {
    position = seekDoc(docs, doc, position);
    return docs[position] === doc ? impacts[position]! : 0;
  };
}

function sizeOf(sources: readonly Source[]): number {
  return sources.reduce((sum, source) => sum + source.docs.length, 0);
}
