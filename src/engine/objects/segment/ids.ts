import { createGrowableUint32 } from '#engine/arrays';
import { hashString } from '#engine/hash';
import { getOrAdd } from '#engine/maps';
import type { StringTable } from '#engine/string-table';
import { buildStringTable, createStringTableWriter, readString, readStringTable } from '#engine/string-table';

/** The ids of documents. A shared prefix up to the last slash or colon is stored once. */
export interface Ids {
  readonly prefixes: StringTable;
  /** The prefix of each document. Prefix 0 is empty. */
  readonly prefixOf: Uint16Array;
  readonly suffixes: StringTable;
}

/** A prefix that fewer ids share is not stored separately. */
const MIN_PREFIX_USES = 4;
const MAX_PREFIXES = 2 ** 16;

export function buildIds(ids: Iterable<string>): Ids {
  const table = createIdTable();
  for (const id of ids) addId(table, id);
  return packIds(table);
}

type IdTable = ReturnType<typeof createIdTable>;

/** Collects ids, and finds the last document with an id. Lone surrogates, which are stored as
 *  U+FFFD, differ by their hash. */
export function createIdTable() {
  const table = {
    /** By document: the `hashString` of its id. */
    hashes: createGrowableUint32(),
    /** A hash table with open addressing: the ordinal of a document plus one, or 0 if it is
     *  empty. */
    slots: new Uint32Array(1 << 10),
    prefixes: [] as string[],
    prefixNumbers: new Map<string, number>(),
    /** By prefix: how many ids have it. */
    prefixUses: [] as number[],
    prefixOf: createGrowableUint32(),
    suffixes: createStringTableWriter(),
  };
  addIdPrefix(table, '');
  return table;
}

/** @returns the ordinal of the document with an id, or -1 */
export function findId(table: IdTable, id: string): number {
  return table.slots[findIdSlot(table, id.toWellFormed(), hashString(id))]! - 1;
}

function addIdPrefix(
  { prefixNumbers, prefixes, prefixUses }: Pick<IdTable, 'prefixNumbers' | 'prefixes' | 'prefixUses'>,
  prefix: string,
): number {
  prefixNumbers.set(prefix, prefixes.length);
  prefixUses.push(0);
  return prefixes.push(prefix) - 1;
}

/** @returns the ordinal of the document that had this id before, or -1 */
export function addId(table: IdTable, id: string): number {
  const hash = hashString(id);
  const wellFormed = id.toWellFormed();
  const slot = findIdSlot(table, wellFormed, hash);
  const before = table.slots[slot]! - 1;
  const prefix = findIdPrefix(wellFormed);
  const number = table.prefixNumbers.get(prefix) ?? addIdPrefix(table, prefix);
  table.prefixUses[number]!++;
  table.prefixOf.push(number);
  table.suffixes.add(wellFormed.slice(prefix.length));
  table.hashes.push(hash);
  table.slots[slot] = table.hashes.length;
  if (table.hashes.length * 2 > table.slots.length) enlargeIdSlots(table);
  return before;
}

/** Finds the slot of a well-formed id, or the empty slot where it would be added. */
function findIdSlot({ slots, hashes, prefixes, prefixOf, suffixes }: IdTable, id: string, hash: number) {
  for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
    const doc = slots[slot]! - 1;
    if (doc < 0) return slot;
    if (hashes.at(doc) === hash && prefixes[prefixOf.at(doc)]! + suffixes.read(doc) === id) return slot;
  }
}

function enlargeIdSlots(state: IdTable): void {
  const slots = new Uint32Array(state.slots.length * 2);
  for (const entry of state.slots) {
    if (entry === 0) continue;
    let slot = state.hashes.at(entry - 1) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = entry;
  }
  state.slots = slots;
}

/** Writes prefixes that too few ids share back into the suffixes. */
export function packIds({ prefixes, prefixUses, prefixOf, suffixes }: IdTable): Ids {
  const shared = prefixes.filter((_, i) => i === 0 || prefixUses[i]! >= MIN_PREFIX_USES);
  const stored = shared.slice(0, MAX_PREFIXES);
  const numbers = new Map(stored.map((prefix, number) => [prefix, number]));
  const storedNumberOf = prefixes.map((prefix) => numbers.get(prefix) ?? 0);
  const original = prefixOf.finish();
  const table = suffixes.finish();
  const listSuffixes = () =>
    readStringTable(table).map((suffix, doc) => {
      const isStored = storedNumberOf[original[doc]!] !== 0;
      return isStored ? suffix : prefixes[original[doc]!]! + suffix;
    });
  return {
    prefixes: buildStringTable(stored),
    prefixOf: Uint16Array.from(original, (number) => storedNumberOf[number]!),
    suffixes: stored.length === prefixes.length ? table : buildStringTable(listSuffixes()),
  };
}

/** Returns the id up to its last slash or colon, inclusive. */
const findIdPrefix = (id: string): string => id.slice(0, 1 + Math.max(id.lastIndexOf('/'), id.lastIndexOf(':')));

export function readId(ids: Ids, doc: number): string {
  return readIdPrefixes(ids)[ids.prefixOf[doc]!]! + readString(ids.suffixes, doc);
}

export function listIds(ids: Ids): string[] {
  const prefixes = readIdPrefixes(ids);
  return readStringTable(ids.suffixes).map((suffix, doc) => prefixes[ids.prefixOf[doc]!]! + suffix);
}

const prefixCache = new WeakMap<Ids, readonly string[]>();

const readIdPrefixes = (ids: Ids): readonly string[] => getOrAdd(prefixCache, ids, () => readStringTable(ids.prefixes));
