import { buildStringTable, readString, readStringTable, type StringTable } from '../../string-table.ts';

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

export function buildIds(ids: readonly string[]): Ids {
  const own = ids.map(beginningOf);
  const shared = new Map<string, number>();
  for (const beginning of own) shared.set(beginning, (shared.get(beginning) ?? 0) + 1);
  const beginnings = [...shared.keys()].filter((one) => one !== '' && shared.get(one)! >= LEAST_SHARED);
  const numbers = new Map(['', ...beginnings].slice(0, MOST_BEGINNINGS).map((one, i) => [one, i]));
  const numberOf = Uint16Array.from(own, (beginning) => numbers.get(beginning) ?? 0);
  return {
    beginnings: buildStringTable([...numbers.keys()]),
    beginningOf: numberOf,
    rests: buildStringTable(ids.map((id, i) => (numberOf[i] === 0 ? id : id.slice(own[i]!.length)))),
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
