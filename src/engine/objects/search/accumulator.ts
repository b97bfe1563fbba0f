import { seekInArray } from '#engine/arrays';
import { type Bitset, createBitset } from '#engine/bitset';
import { CHUNK, type PostingList, type Postings } from '../segment/postings.ts';

/** Documents in a block, so few that their scores stay in the processor's cache. */
const BLOCK = 1 << 14;

/** From this ratio of postings to candidates in a block, the list is searched, not read. */
const SEEK_RATIO = 16;

/** Documents of a block by their places in it, as a set and as a list. */
type Places = { readonly set: Bitset; readonly list: Uint32Array; count: number };

export type Accumulator = ReturnType<typeof createAccumulator>;

/** The documents to which a group is added: a set over the segment, the documents with any previous
 *  group, or those with all of them. */
export type Admitted = Bitset | 'any' | 'all';

type State = ReturnType<typeof createState>;

function createState(block: number) {
  const touched = createPlaces(block);
  return {
    block,
    /** Two numbers for each place: the score, then a bit for each group that the document has. */
    scores: new Uint32Array(block * 2),
    /** By place: the worth of the current group, of which the best list counts. */
    best: new Uint32Array(block),
    /** The indexes of the postings of the current list that are added. */
    picked: new Uint32Array(block),
    /** The documents with any group. */
    touched,
    /** The documents with all groups so far; two sets that take turns. */
    complete: [createPlaces(block), createPlaces(block)] as const,
    /** The documents with any group; after a group was added to `all`, only those that have it,
     *  too. */
    matches: touched,
    /** The number of groups so far. */
    group: 0,
    /** The first document of the block. */
    start: 0,
  };
}

/** Scores documents block by block, term at a time.
 *  @param block documents in a block: a power of two, from 32 to the size of a chunk */
export function createAccumulator(block = BLOCK) {
  const state = createState(block);
  return {
    block,
    /** Begins a new block: the documents from `start` to `start + block`. */
    begin: (start: number): void => beginAccumulatorBlock(state, start),
    /** Adds the next group to the admitted documents. In each, the best of its lists counts.
     *  @returns the number of matches so far */
    addGroup: (cursors: readonly Cursor[], admitted: Admitted): number =>
      addGroupToAccumulator(state, cursors, admitted),
    get matches() {
      return state.matches;
    },
    scores: state.scores,
  };
}

const createPlaces = (block: number): Places => ({ set: createBitset(block), list: new Uint32Array(block), count: 0 });

/** Clears only the listed places: a block has many documents, and most queries few matches. */
function clearAccumulatorPlaces(places: Places): void {
  for (let i = 0; i < places.count; i++) places.set[places.list[i]! >>> 5] = 0;
  places.count = 0;
}

function beginAccumulatorBlock(state: State, start: number): void {
  const { touched, scores } = state;
  for (let i = 0; i < touched.count; i++) {
    const place = touched.list[i]!;
    scores[place * 2] = 0;
    scores[place * 2 + 1] = 0;
  }
  clearAccumulatorPlaces(touched);
  state.start = start;
  state.matches = touched;
  state.group = 0;
}

function addGroupToAccumulator(state: State, cursors: readonly Cursor[], admitted: Admitted): number {
  const target = findAccumulatorTarget(state, admitted);
  if (admitted === 'all') clearAccumulatorPlaces(target);
  // A document with any of these groups is in `target` already.
  const listedGroups = admitted === 'all' ? 1 << state.group : -1;
  const end = state.start + state.block;
  for (const cursor of cursors) {
    if (cursor.next < end)
      addPicked(state, cursor, { count: collectPostings(state, cursor, admitted), target, listedGroups });
  }
  state.matches = target;
  state.group++;
  return target.count;
}

function findAccumulatorTarget({ matches, touched, complete, group }: State, admitted: Admitted): Places {
  if (admitted === 'all') return complete[(group & 1) as 0 | 1];
  return admitted === 'any' ? matches : touched;
}

/** Collects the postings of this block, and moves the cursor to the next. @returns their number */
function collectPostings(state: State, cursor: Cursor, admitted: Admitted): number {
  const { matches, block } = state;
  const end = enterAccumulatorBlock(state, cursor);
  // Seeking walks through the words of a set, at the cost of about `block / 64` postings.
  const seekCost = SEEK_RATIO * matches.count + block / 64;
  let count: number;
  if (typeof admitted !== 'string') count = collectPostingsInSet(state, cursor, end, admitted);
  else if (end - cursor.position > seekCost) count = seekPlaces(state, cursor, end, matches.set);
  else count = collectPostingsInSet(state, cursor, end, matches.set);
  moveAccumulatorTo(cursor, end);
  return count;
}

/** Moves a cursor to its postings in this block. @returns where they end */
function enterAccumulatorBlock({ start, block }: State, cursor: Cursor): number {
  const { chunks, chunkStart, places } = cursor.postings;
  // The previous blocks may have been skipped.
  const chunk = Math.floor(start / CHUNK);
  while (cursor.chunk < cursor.endChunk && chunks[cursor.chunk]! < chunk) cursor.position = chunkStart[++cursor.chunk]!;
  if (cursor.chunk === cursor.endChunk || chunks[cursor.chunk] !== chunk) return cursor.position;
  const end = chunkStart[cursor.chunk + 1]!;
  const first = start % CHUNK;
  cursor.position = seekInArray(places, first, cursor.position, end);
  return first + block === CHUNK ? end : seekInArray(places, first + block, cursor.position, end);
}

/** Reads all postings. Branchless, as admitted documents are unpredictable for the processor.
 *  @param admitted a set over all documents of the segment, or over this block */
function collectPostingsInSet(state: State, cursor: Cursor, end: number, admitted: Bitset): number {
  const { block, picked, matches } = state;
  const { places } = cursor.postings;
  const inBlock = block - 1;
  const firstWord = admitted.length === matches.set.length ? 0 : state.start >>> 5;
  let count = 0;
  for (let i = cursor.position; i < end; i++) {
    const place = places[i]! & inBlock;
    picked[count] = i;
    count += (admitted[firstWord + (place >>> 5)]! >>> (place & 31)) & 1;
  }
  return count;
}

function seekPlaces(state: State, cursor: Cursor, end: number, candidates: Bitset): number {
  const { picked } = state;
  const { places } = cursor.postings;
  const first = state.start % CHUNK;
  let count = 0;
  let at = cursor.position;
  for (let w = 0; w < candidates.length; w++) {
    for (let word = candidates[w]!; word !== 0; word &= word - 1) {
      const place = first + w * 32 + 31 - Math.clz32(word & -word);
      at = seekInArray(places, place, at, end);
      if (at >= end) return count;
      if (places[at] === place) picked[count++] = at;
    }
  }
  return count;
}

function addPicked(
  { block, scores, best, picked, group }: State,
  { postings: { places, impacts }, factor }: Cursor,
  { count, target, listedGroups }: { count: number; target: Places; listedGroups: number },
): void {
  const inBlock = block - 1;
  const bit = 1 << group;
  const { set, list } = target;
  let size = target.count;
  for (let k = 0; k < count; k++) {
    const i = picked[k]!;
    const place = places[i]! & inBlock;
    const worth = factor * impacts[i]!;
    const groups = scores[place * 2 + 1]!;
    if ((groups & listedGroups) === 0) {
      list[size++] = place;
      set[place >>> 5]! |= 1 << (place & 31);
    }
    if ((groups & bit) === 0) {
      scores[place * 2 + 1] = groups | bit;
      scores[place * 2]! += worth;
      best[place] = worth;
    } else if (worth > best[place]!) {
      scores[place * 2]! += worth - best[place]!;
      best[place] = worth;
    }
  }
  target.count = size;
}

/** Reads a posting list once, block by block. */
export interface Cursor {
  readonly postings: Postings;
  readonly endChunk: number;
  /** The score of one step of impact. */
  readonly factor: number;
  /** The first unread posting: its chunk, its index, and its document (infinite at the end). */
  chunk: number;
  position: number;
  next: number;
}

export function createAccumulatorCursor({ postings, firstChunk, endChunk }: PostingList, factor: number): Cursor {
  const cursor = { postings, endChunk, factor, chunk: firstChunk, position: 0, next: 0 };
  moveAccumulatorTo(cursor, postings.chunkStart[firstChunk]!);
  return cursor;
}

/** @param position an index in the cursor's chunk, or the end of that chunk */
function moveAccumulatorTo(cursor: Cursor, position: number): void {
  const { postings, endChunk } = cursor;
  if (cursor.chunk < endChunk && position === postings.chunkStart[cursor.chunk + 1]) cursor.chunk++;
  cursor.position = position;
  cursor.next =
    cursor.chunk < endChunk
      ? postings.chunks[cursor.chunk]! * CHUNK + postings.places[position]!
      : Number.POSITIVE_INFINITY;
}
