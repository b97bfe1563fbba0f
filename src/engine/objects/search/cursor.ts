import { CHUNK, type PostingList, type Postings } from '../segment/postings.ts';

/** A posting list that is read block by block. */
export interface Cursor {
  readonly postings: Postings;
  readonly endChunk: number;
  /** Worth of one step of impact. */
  readonly factor: number;
  /** Of the first posting that is not read yet: its chunk, its place in the arrays, and its document; beyond all, infinity. */
  chunk: number;
  position: number;
  next: number;
}

export function createCursor({ postings, firstChunk, endChunk }: PostingList, factor: number): Cursor {
  const cursor = { postings, endChunk, factor, chunk: firstChunk, position: 0, next: 0 };
  moveTo(cursor, postings.chunkStart[firstChunk]!);
  return cursor;
}

/** Go on in a list.
 *  @param position in the cursor's chunk, or where that ends */
export function moveTo(cursor: Cursor, position: number): void {
  const { postings, endChunk } = cursor;
  if (cursor.chunk < endChunk && position === postings.chunkStart[cursor.chunk + 1]) cursor.chunk++;
  cursor.position = position;
  cursor.next =
    cursor.chunk < endChunk
      ? postings.chunks[cursor.chunk]! * CHUNK + postings.places[position]!
      : Number.POSITIVE_INFINITY;
}
