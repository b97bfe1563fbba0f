import { createGrowableUint8, createGrowableUint16, createGrowableUint32, seekInArray } from '#engine/arrays';
import { type Bitset, hasBit } from '#engine/bitset';

/** The bits of a document's place in its chunk. */
const CHUNK_BITS = 16;
export const CHUNK = 2 ** CHUNK_BITS;

/** Posting lists, one for each term, each ascending by document: chunk and place in the chunk. A
 *  list names each of its chunks once, so a posting takes three bytes: place and impact. */
export interface Postings {
  /** CSR: the chunks of each list. */
  readonly listStart: Uint32Array;
  /** Ascending within a list. */
  readonly chunks: Uint16Array;
  /** CSR: the postings of each chunk of a list. */
  readonly chunkStart: Uint32Array;
  readonly places: Uint16Array;
  /** BM25F saturation of the term in the document, 1 to 255. */
  readonly impacts: Uint8Array;
}

/** One of the lists: a range of chunks, end exclusive. */
export interface PostingList {
  readonly postings: Postings;
  readonly firstChunk: number;
  readonly endChunk: number;
}

export function openPostings(postings: Postings, list: number): PostingList {
  return { postings, firstChunk: postings.listStart[list]!, endChunk: postings.listStart[list + 1]! };
}

export function countPostings({ postings: { chunkStart }, firstChunk, endChunk }: PostingList): number {
  return chunkStart[endChunk]! - chunkStart[firstChunk]!;
}

export function forEachPosting(list: PostingList, visit: (doc: number, impact: number) => void): void {
  const { chunks, chunkStart, places, impacts } = list.postings;
  for (let c = list.firstChunk; c < list.endChunk; c++) {
    const base = chunks[c]! * CHUNK;
    for (let i = chunkStart[c]!; i < chunkStart[c + 1]!; i++) visit(base + places[i]!, impacts[i]!);
  }
}

export function listPostingDocuments(list: PostingList): Uint32Array {
  const docs = new Uint32Array(countPostings(list));
  let count = 0;
  forEachPosting(list, (doc) => {
    docs[count++] = doc;
  });
  return docs;
}

export function countPostingsIn(list: PostingList, set: Bitset): number {
  let count = 0;
  forEachPosting(list, (doc) => {
    if (hasBit(set, doc)) count++;
  });
  return count;
}

/** Tells whether a list and a set have a common document, and stops at the first one. */
export function hasPostingIn(list: PostingList, set: Bitset): boolean {
  const { chunks, chunkStart, places } = list.postings;
  for (let c = list.firstChunk; c < list.endChunk; c++) {
    for (let i = chunkStart[c]!; i < chunkStart[c + 1]!; i++)
      if (hasBit(set, chunks[c]! * CHUNK + places[i]!)) return true;
  }
  return false;
}

/** Creates a function that returns impacts of documents, or 0; to be called in ascending order. */
export function createPostingReader({ postings, firstChunk, endChunk }: PostingList): (doc: number) => number {
  const { chunks, chunkStart, places, impacts } = postings;
  let chunk = firstChunk;
  let at = chunkStart[firstChunk]!;
  return (doc) => {
    const docChunk = doc >>> CHUNK_BITS;
    while (chunk < endChunk && chunks[chunk]! < docChunk) at = chunkStart[++chunk]!;
    if (chunk === endChunk || chunks[chunk] !== docChunk) return 0;
    const end = chunkStart[chunk + 1]!;
    const place = doc & (CHUNK - 1);
    at = seekInArray(places, place, at, end);
    return at < end && places[at] === place ? impacts[at]! : 0;
  };
}

export const findPostingImpact = (list: PostingList, doc: number): number => createPostingReader(list)(doc);

export function createPostingsWriter() {
  const listStart = createGrowableUint32();
  const chunks = createGrowableUint16();
  const chunkStart = createGrowableUint32();
  const places = createGrowableUint16();
  const impacts = createGrowableUint8();
  listStart.push(0);
  let chunk = -1;
  let listed = 0;
  return {
    /** Adds a posting to the current list, in ascending order of documents. */
    push(doc: number, impact: number): void {
      if (doc >>> CHUNK_BITS !== chunk) {
        chunk = doc >>> CHUNK_BITS;
        chunks.push(chunk);
        chunkStart.push(places.length);
      }
      places.push(doc & (CHUNK - 1));
      impacts.push(impact);
    },
    /** @returns whether the list was written; an empty one is not */
    endList(): boolean {
      if (listed === chunks.length) return false;
      listed = chunks.length;
      listStart.push(listed);
      chunk = -1;
      return true;
    },
    finish(): Postings {
      chunkStart.push(places.length);
      return {
        listStart: listStart.finish(),
        chunks: chunks.finish(),
        chunkStart: chunkStart.finish(),
        places: places.finish(),
        impacts: impacts.finish(),
      };
    },
  };
}

/** Makes a list that belongs to no segment. */
export function makePostingList(docs: Uint32Array, impacts: Uint8Array): PostingList {
  const starts = Array.from(docs.keys()).filter(
    (i) => i === 0 || docs[i]! >>> CHUNK_BITS !== docs[i - 1]! >>> CHUNK_BITS,
  );
  return {
    postings: {
      listStart: Uint32Array.of(0, starts.length),
      chunks: Uint16Array.from(starts, (i) => docs[i]! >>> CHUNK_BITS),
      chunkStart: Uint32Array.of(...starts, docs.length),
      places: Uint16Array.from(docs),
      impacts,
    },
    firstChunk: 0,
    endChunk: starts.length,
  };
}
