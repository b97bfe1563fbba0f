import { createGrowableUint32 } from '#engine/arrays';
import { hashString } from '#engine/hash';
import {
  buildStringTable,
  createStringTableWriter,
  readString,
  readStringTable,
  type StringTable,
} from '#engine/string-table';

/** The ids of a segment's documents. Most begin as many others do, up to a last slash or colon, and such beginnings are kept once. */
export interface Ids {
  readonly beginnings: StringTable;
  /** By document, its beginning; the first is empty. */
  readonly beginningOf: Uint16Array;
  /** By document, what comes after that. */
  readonly rests: StringTable;
}

/** A beginning that fewer ids have is not kept apart. */
const LEAST_SHARED = 4;
const MOST_BEGINNINGS = 2 ** 16;

export function buildIds(all: Iterable<string>): Ids {
  const table = createIdTable();
  for (const id of all) table.add(id);
  return table.finish().ids;
}

/** Ids of documents as they come; each stands for the last document that has it. Half letters are kept as U+FFFD, and told apart by hash. */
export interface IdTable {
  /** Documents so far. */
  readonly count: number;
  /** @return ordinal of the document that had this id until now, or -1 */
  add(id: string): number;
  /** Ordinal of the document with this id, or -1. */
  find(id: string): number;
  /** @return with `hashString` of each id */
  finish(): { readonly ids: Ids; readonly idHash: Uint32Array };
}

export function createIdTable(): IdTable {
  const hashes = createGrowableUint32();
  /** Open addressing: the ordinal of a document and one, or 0. */
  let slots = new Uint32Array(1 << 10);
  const beginnings: string[] = [];
  const numbers = new Map<string, number>();
  /** By beginning: how many ids have it. */
  const uses: number[] = [];
  const numberOf = createGrowableUint32();
  const rests = createStringTableWriter();

  function enterBeginning(beginning: string): number {
    numbers.set(beginning, beginnings.length);
    uses.push(0);
    return beginnings.push(beginning) - 1;
  }
  enterBeginning('');

  function read(doc: number): string {
    return beginnings[numberOf.at(doc)]! + rests.read(doc);
  }

  /** Of a well-formed id, or where it is to be entered. */
  function findSlot(id: string, hash: number): number {
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const doc = slots[slot]! - 1;
      if (doc < 0 || (hashes.at(doc) === hash && read(doc) === id)) return slot;
    }
  }

  function enlargeSlots(): void {
    const before = slots;
    slots = new Uint32Array(before.length * 2);
    for (const entry of before) {
      if (entry === 0) continue;
      let slot = hashes.at(entry - 1) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = entry;
    }
  }

  return {
    get count() {
      return hashes.length;
    },
    add(id) {
      const hash = hashString(id);
      const own = id.toWellFormed();
      const slot = findSlot(own, hash);
      const before = slots[slot]! - 1;
      const beginning = beginningOf(own);
      const number = numbers.get(beginning) ?? enterBeginning(beginning);
      uses[number]!++;
      numberOf.push(number);
      rests.add(own.slice(beginning.length));
      hashes.push(hash);
      slots[slot] = hashes.length;
      if (hashes.length * 2 > slots.length) enlargeSlots();
      return before;
    },
    find: (id) => slots[findSlot(id.toWellFormed(), hashString(id))]! - 1,
    finish() {
      const kept = beginnings.filter((_, i) => i === 0 || uses[i]! >= LEAST_SHARED).slice(0, MOST_BEGINNINGS);
      const places = new Map(kept.map((beginning, place) => [beginning, place]));
      const placeOf = beginnings.map((beginning) => places.get(beginning) ?? 0);
      const own = numberOf.finish();
      const isCut = (doc: number) => placeOf[own[doc]!] !== 0;
      const table = rests.finish();
      const wholeOrCut = () =>
        readStringTable(table).map((rest, doc) => (isCut(doc) ? rest : beginnings[own[doc]!]! + rest));
      return {
        ids: {
          beginnings: buildStringTable(kept),
          beginningOf: Uint16Array.from(own, (number) => placeOf[number]!),
          rests: kept.length === beginnings.length ? table : buildStringTable(wholeOrCut()),
        },
        idHash: hashes.finish(),
      };
    },
  };
}

/** Up to the last slash or colon, that included. */
function beginningOf(id: string): string {
  return id.slice(0, 1 + Math.max(id.lastIndexOf('/'), id.lastIndexOf(':')));
}

export function readId(ids: Ids, doc: number): string {
  return listBeginnings(ids)[ids.beginningOf[doc]!]! + readString(ids.rests, doc);
}

export function listIds(ids: Ids): string[] {
  const beginnings = listBeginnings(ids);
  return readStringTable(ids.rests).map((rest, doc) => beginnings[ids.beginningOf[doc]!]! + rest);
}

const known = new WeakMap<Ids, readonly string[]>();

function listBeginnings(ids: Ids): readonly string[] {
  let beginnings = known.get(ids);
  if (beginnings === undefined) {
    beginnings = readStringTable(ids.beginnings);
    known.set(ids, beginnings);
  }
  return beginnings;
}
