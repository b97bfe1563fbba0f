import type { Growable } from '../../arrays.ts';
import { CHUNK, type Postings } from './postings.ts';

/** One entry per document and distinct term, in order of the documents; `end` tells where those of each end. */
export interface Collected {
  readonly term: Growable<Uint32Array>;
  readonly impact: Growable<Uint8Array>;
  readonly end: Growable<Uint32Array>;
}

/** Counting sort by term; it is stable, so each list stays ascending by document. */
export function groupByTerm(collected: Collected, rankOfTerm: Uint32Array): Postings {
  const terms = rankOfTerm.length;
  const [listStart, size, lastChunk] = [0, 0, 0].map(() => new Uint32Array(terms + 1)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const visitAll = (visit: (list: number, doc: number, i: number) => void) => {
    let i = 0;
    for (let doc = 0; doc < collected.end.length; doc++)
      for (const end = collected.end.at(doc); i < end; i++) visit(rankOfTerm[collected.term.at(i)]!, doc, i);
  };
  const isNewChunk = (list: number, doc: number) => {
    // One more than the chunk, so that 0 is none.
    const chunk = Math.floor(doc / CHUNK) + 1;
    if (lastChunk[list] === chunk) return false;
    lastChunk[list] = chunk;
    return true;
  };
  visitAll((list, doc) => {
    size[list + 1]!++;
    if (isNewChunk(list, doc)) listStart[list + 1]!++;
  });
  for (let t = 0; t < terms; t++) {
    size[t + 1]! += size[t]!;
    listStart[t + 1]! += listStart[t]!;
  }
  const chunks = new Uint16Array(listStart[terms]!);
  const chunkStart = new Uint32Array(chunks.length + 1).fill(collected.term.length);
  const places = new Uint16Array(collected.term.length);
  const impacts = new Uint8Array(collected.term.length);
  const nextChunk = listStart.slice();
  lastChunk.fill(0);
  visitAll((list, doc, i) => {
    const at = size[list]!++;
    if (isNewChunk(list, doc)) {
      const chunk = nextChunk[list]!++;
      chunks[chunk] = doc / CHUNK;
      chunkStart[chunk] = at;
    }
    places[at] = doc % CHUNK;
    impacts[at] = collected.impact.at(i);
  });
  return { listStart, chunks, chunkStart, places, impacts };
}
