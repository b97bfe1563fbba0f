import { seekPlace } from '#engine/arrays';
import { type Bitset, createBitset } from '#engine/bitset';
import { CHUNK, type PostingList, type Postings } from '../segment/postings.ts';

/** Documents are scored in blocks of this many, so that what is kept of them stays in the processor's cache. */
const BLOCK = 1 << 14;

/** Documents of a block: as a set, and as a list of their places in the order in which they came. */
interface Places {
  readonly set: Bitset;
  readonly list: Uint32Array;
  count: number;
}

/** Scores of one block of documents, term at a time. Its room is reused from block to block. */
export interface Accumulator {
  /** Documents in a block. */
  readonly block: number;
  /** Begin a new block: documents `start` to `start + block`. */
  begin(start: number): void;
  /** Add the next group: in each document the best of its lists counts.
   *  @param admitted the documents it is added to
   *  @return how many matches there are now */
  addGroup(cursors: readonly Cursor[], admitted: Admitted): number;
  /** Documents with any group; after adding a group to those with all groups, only those that have it, too. */
  readonly matches: Readonly<Places>;
  /** By place in the block: the score at twice the place, and beside it the groups found, bit g for group g. */
  readonly state: Uint32Array;
}

/** The documents a group is added to: those of a set over the segment, those with any group before, those with all
 *  groups before. */
export type Admitted = Bitset | 'any' | 'all';

/** A list with this many times more postings in a block than there are candidates is searched for them. */
const SEEK_RATIO = 16;

/** @param block documents in a block: a power of two, from 32 to those of a chunk */
export function createAccumulator(block = BLOCK): Accumulator {
  const inBlock = block - 1;
  /** Searching goes through the words of a set, which costs about as much as this many postings. */
  const seekCost = block / 64;
  const state = new Uint32Array(block * 2);
  /** Worth of the current group, where several lists compete. */
  const best = new Uint32Array(block);
  /** Postings that are to be added. */
  const picked = new Uint32Array(block);
  const touched = createPlaces(block);
  /** Documents with all groups, for two groups in turn. */
  const turns = [createPlaces(block), createPlaces(block)] as const;
  let matches = touched;
  let group = 0;
  let start = 0;

  /** Without a branch: the processor cannot predict which documents are admitted, and a wrong guess costs more than the sum.
   *  @param admitted of all documents, or of this block: then from word 0 on */
  function pickIn({ postings: { places }, position }: Cursor, stop: number, admitted: Bitset): number {
    const firstWord = admitted.length === matches.set.length ? 0 : start >>> 5;
    let count = 0;
    for (let i = position; i < stop; i++) {
      const place = places[i]! & inBlock;
      picked[count] = i;
      count += (admitted[firstWord + (place >>> 5)]! >>> (place & 31)) & 1;
    }
    return count;
  }

  /** As `pickIn`, from the side of the candidates. */
  function seekIn({ postings: { places }, position }: Cursor, stop: number, admitted: Bitset): number {
    const first = start % CHUNK;
    let count = 0;
    let at = position;
    for (let w = 0; w < admitted.length; w++) {
      for (let word = admitted[w]!; word !== 0; word &= word - 1) {
        const place = first + w * 32 + 31 - Math.clz32(word & -word);
        at = seekPlace(places, place, at, stop);
        if (at >= stop) return count;
        if (places[at] === place) picked[count++] = at;
      }
    }
    return count;
  }

  /** Go on to the postings of this block, if there are any.
   *  @return where they end */
  function enterBlock(cursor: Cursor): number {
    const { chunks, chunkStart, places } = cursor.postings;
    // Blocks without any match of the rarest group were passed over, but not by this list.
    const wanted = Math.floor(start / CHUNK);
    while (cursor.chunk < cursor.endChunk && chunks[cursor.chunk]! < wanted)
      cursor.position = chunkStart[++cursor.chunk]!;
    if (cursor.chunk === cursor.endChunk || chunks[cursor.chunk] !== wanted) return cursor.position;
    const end = chunkStart[cursor.chunk + 1]!;
    const first = start % CHUNK;
    cursor.position = seekPlace(places, first, cursor.position, end);
    return first + block === CHUNK ? end : seekPlace(places, first + block, cursor.position, end);
  }

  /** The postings of this block that are to be added, in `picked`; the cursor goes on to the next block. */
  function pick(cursor: Cursor, admitted: Admitted): number {
    const stop = enterBlock(cursor);
    let count: number;
    if (typeof admitted !== 'string') count = pickIn(cursor, stop, admitted);
    else if (stop - cursor.position > SEEK_RATIO * matches.count + seekCost)
      count = seekIn(cursor, stop, matches.set);
    else count = pickIn(cursor, stop, matches.set);
    moveTo(cursor, stop);
    return count;
  }

  /** @param known bits of groups; any of them says that a document is in `target` already */
  function addPicked(
    { postings: { places, impacts }, factor }: Cursor,
    count: number,
    target: Places,
    known: number,
  ): void {
    const bit = 1 << group;
    const { set, list } = target;
    let size = target.count;
    for (let k = 0; k < count; k++) {
      const i = picked[k]!;
      const place = places[i]! & inBlock;
      const worth = factor * impacts[i]!;
      const before = state[place * 2 + 1]!;
      if ((before & known) === 0) {
        list[size++] = place;
        set[place >>> 5]! |= 1 << (place & 31);
      }
      if ((before & bit) === 0) {
        state[place * 2 + 1] = before | bit;
        state[place * 2]! += worth;
        best[place] = worth;
      } else if (worth > best[place]!) {
        state[place * 2]! += worth - best[place]!;
        best[place] = worth;
      }
    }
    target.count = size;
  }

  /** Adding to those with any group makes no new matches. */
  function targetOf(admitted: Admitted): Places {
    if (admitted === 'all') return turns[group & 1]!;
    return admitted === 'any' ? matches : touched;
  }

  return {
    block,
    begin(first) {
      for (let i = 0; i < touched.count; i++) {
        const place = touched.list[i]!;
        state[place * 2] = 0;
        state[place * 2 + 1] = 0;
      }
      empty(touched);
      start = first;
      matches = touched;
      group = 0;
    },
    addGroup(cursors, admitted) {
      const target = targetOf(admitted);
      if (admitted === 'all') empty(target);
      const known = admitted === 'all' ? 1 << group : -1;
      for (const cursor of cursors)
        if (cursor.next < start + block) addPicked(cursor, pick(cursor, admitted), target, known);
      matches = target;
      group++;
      return matches.count;
    },
    get matches() {
      return matches;
    },
    state,
  };
}

function createPlaces(block: number): Places {
  return { set: createBitset(block), list: new Uint32Array(block), count: 0 };
}

/** Cleared by the list: a block has many documents, and most queries few matches. */
function empty(places: Places): void {
  for (let i = 0; i < places.count; i++) places.set[places.list[i]! >>> 5] = 0;
  places.count = 0;
}

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
function moveTo(cursor: Cursor, position: number): void {
  const { postings, endChunk } = cursor;
  if (cursor.chunk < endChunk && position === postings.chunkStart[cursor.chunk + 1]) cursor.chunk++;
  cursor.position = position;
  cursor.next =
    cursor.chunk < endChunk
      ? postings.chunks[cursor.chunk]! * CHUNK + postings.places[position]!
      : Number.POSITIVE_INFINITY;
}
