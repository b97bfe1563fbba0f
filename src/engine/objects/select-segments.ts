import { clearBit, createBitset, hasBit, setBit } from '../bitset.ts';
import { hashString } from '../hash.ts';
import { readString } from '../string-table.ts';
import type { LiveSegment, Segment } from './segment/segment.ts';

/** The segments with nothing but these ids, or without them. Nothing given is changed; what loses nothing is given as it is. */
export function selectSegments(
  segments: readonly LiveSegment[],
  ids: Iterable<string>,
  how: 'only' | 'without',
): LiveSegment[] {
  const wanted = [...ids];
  return segments.map((part) => {
    const { segment, live, liveCount } = part;
    const named = wanted
      .map((id) => findSegmentDocument(segment, id))
      .filter((doc) => doc >= 0 && hasBit(live, doc));
    const docs = new Set(named);
    if (how === 'without' && docs.size === 0) return { ...part };
    const kept = how === 'only' ? createBitset(segment.count) : live.slice();
    for (const doc of docs) (how === 'only' ? setBit : clearBit)(kept, doc);
    return { segment, live: kept, liveCount: how === 'only' ? docs.size : liveCount - docs.size };
  });
}

/** Ordinal of the document with this id, or -1. */
export function findSegmentDocument({ idOrder, columns: { idHash }, ids }: Segment, id: string): number {
  const hash = hashString(id);
  let low = 0;
  let high = idOrder.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (idHash[idOrder[middle]!]! < hash) low = middle + 1;
    else high = middle;
  }
  for (; low < idOrder.length && idHash[idOrder[low]!] === hash; low++) {
    if (readString(ids, idOrder[low]!) === id) return idOrder[low]!;
  }
  return -1;
}
