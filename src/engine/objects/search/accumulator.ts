import { seekDoc } from '../../arrays.ts';
import { type Bitset, createBitset } from '../../bitset.ts';

/** Documents are scored in blocks of this many, so that what is kept of them stays in the processor's cache. */
const BLOCK = 1 << 14;

/** A posting list that is read block by block. */
export interface Cursor {
  /** Ascending. */
  readonly docs: Uint32Array;
  readonly impacts: Uint8Array;
  /** Worth of one step of impact. */
  readonly factor: number;
  /** Place of the first posting that is not read yet. */
  position: number;
}

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

/** @param block documents in a block: a power of two, at least 32 */
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

  /** Without a branch: the processor cannot predict which documents are admitted, and a wrong guess costs more than the sum. */
  function pickIn({ docs, position }: Cursor, stop: number, admitted: Bitset, firstWord: number): number {
    let count = 0;
    for (let i = position; i < stop; i++) {
      const doc = docs[i]!;
      picked[count] = i;
      count += (admitted[(doc >>> 5) - firstWord]! >>> (doc & 31)) & 1;
    }
    return count;
  }

  /** As `pickIn`, from the side of the candidates. */
  function seekIn({ docs, position }: Cursor, stop: number, admitted: Bitset): number {
    let count = 0;
    let at = position;
    for (let w = 0; w < admitted.length; w++) {
      for (let word = admitted[w]!; word !== 0; word &= word - 1) {
        const doc = start + w * 32 + 31 - Math.clz32(word & -word);
        at = seekDoc(docs, doc, at);
        if (at >= stop) return count;
        if (docs[at] === doc) picked[count++] = at;
      }
    }
    return count;
  }

  /** The postings of this block that are to be added, in `picked`; the cursor goes on to the next block. */
  function pick(cursor: Cursor, admitted: Admitted): number {
    cursor.position = seekDoc(cursor.docs, start, cursor.position);
    const stop = seekDoc(cursor.docs, start + block, cursor.position);
    let count: number;
    if (typeof admitted !== 'string') count = pickIn(cursor, stop, admitted, 0);
    else if (stop - cursor.position > SEEK_RATIO * matches.count + seekCost)
      count = seekIn(cursor, stop, matches.set);
    else count = pickIn(cursor, stop, matches.set, start >>> 5);
    cursor.position = stop;
    return count;
  }

  /** @param known bits of groups; any of them says that a document is in `target` already */
  function addPicked({ docs, impacts, factor }: Cursor, count: number, target: Places, known: number): void {
    const bit = 1 << group;
    const { set, list } = target;
    let size = target.count;
    for (let k = 0; k < count; k++) {
      const i = picked[k]!;
      const place = docs[i]! & inBlock;
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
      for (const cursor of cursors) {
        const { docs, position } = cursor;
        if (position < docs.length && docs[position]! < start + block)
          addPicked(cursor, pick(cursor, admitted), target, known);
      }
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
