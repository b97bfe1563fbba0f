import { clearBit, createBitset, hasBit, setBit } from '../bitset.ts';
import { hashString } from '../hash.ts';
import { findStringRange, readString } from '../string-table.ts';
import { OWN_TOPIC_IMPACT } from './search/filters.ts';
import { readId } from './segment/ids.ts';
import { findImpact, openList } from './segment/postings.ts';
import { type LiveSegment, type Segment, TOPIC_MARK } from './segment/segment.ts';
import type { ObjectDocument } from './types.ts';

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

/** The topics of the document with this id, as it was put; none where there is no such document. */
export function findDocumentTopics(
  segments: readonly LiveSegment[],
  id: string,
): Required<Pick<ObjectDocument, 'topics' | 'widerTopics'>> {
  const topics: string[] = [];
  const widerTopics: string[] = [];
  for (const { segment, live } of segments) {
    const doc = findSegmentDocument(segment, id);
    if (doc < 0 || !hasBit(live, doc)) continue;
    const [first, end] = findStringRange(segment.terms, TOPIC_MARK);
    for (let term = first; term < end; term++) {
      const impact = findImpact(openList(segment.postings, term), doc);
      if (impact === 0) continue;
      const topic = readString(segment.terms, term).slice(TOPIC_MARK.length);
      (impact >= OWN_TOPIC_IMPACT ? topics : widerTopics).push(topic);
    }
  }
  return { topics, widerTopics };
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
  // Half letters are kept as U+FFFD.
  const kept = id.toWellFormed();
  for (; low < idOrder.length && idHash[idOrder[low]!] === hash; low++) {
    if (readId(ids, idOrder[low]!) === kept) return idOrder[low]!;
  }
  return -1;
}
