import { clearBit, createFullBitset, forEachBit, hasBit } from '../bitset.ts';
import { type DecodeOptions, decodeSnapshot, encodeSnapshot } from '../snapshot.ts';
import { countTableStrings } from '../string-table.ts';
import { createAccumulator } from './search/accumulator.ts';
import { searchSegments } from './search/search.ts';
import { buildSegment, createSegmentBuilder } from './segment/build-segment.ts';
import { mergeSegments } from './segment/merge-segments.ts';
import { packSegment, unpackSegment } from './segment/pack-segment.ts';
import type { LiveSegment, Segment } from './segment/segment.ts';
import { findDocumentTopics, findSegmentDocument, selectSegments } from './select-segments.ts';
import type { ObjectAnswer, ObjectDocument, ObjectQuery } from './types.ts';

/** Most documents that become one segment without a search in between: what is found in them is held twice while it is made. */
const MAX_PENDING = 2 ** 20;
/** A segment is merged with the one before it unless that one is at least this many times its size. */
const MERGE_RATIO = 4;

const FORMAT = 'skilldock-objects';
/** Raise this whenever the meaning of a section changes: older snapshots are then rebuilt. */
const VERSION = 5;

/** A searchable, changeable set of learning objects. A change is visible to the next search. */
export interface ObjectIndex {
  /** Add documents; one with a known id replaces the one before. */
  put(documents: Iterable<ObjectDocument>): void;
  /** How many of the ids were there. */
  remove(ids: Iterable<string>): number;
  search(query: ObjectQuery): ObjectAnswer;
  /** What is there now without these ids, for `createObjectView`. */
  select(without: Iterable<string>): readonly LiveSegment[];
  /** Of the document with this id; none where there is no such document. */
  findTopics(id: string): Required<Pick<ObjectDocument, 'topics' | 'widerTopics'>>;
  /** Merge everything into one segment and drop what was removed. */
  compact(): void;
  stats(): ObjectIndexStats;
  /** One block with everything, to be given to `loadObjectIndex`.
   *  @param meta facts to find again on loading, such as a fingerprint of the data */
  save(meta: unknown): Uint8Array;
}

export interface ObjectIndexStats {
  readonly documents: number;
  readonly terms: number;
  readonly postings: number;
  readonly segments: number;
  /** Bytes of the index's arrays, without the working memory of searches. */
  readonly bytes: number;
}

export function createObjectIndex(): ObjectIndex {
  return indexOf([]);
}

/** Errors: SNAPSHOT_INVALID. */
export function loadObjectIndex(
  block: Uint8Array,
  options?: DecodeOptions,
): { index: ObjectIndex; meta: unknown } {
  const { meta, sections } = decodeSnapshot(FORMAT, VERSION, block, options);
  const { own, segment: values } = meta as { own: unknown; segment: unknown };
  return { index: indexOf([unpackSegment(sections, values)]), meta: own };
}

function indexOf(initial: readonly Segment[]): ObjectIndex {
  let segments: MutableSegment[] = initial.map(asMutable);
  const accumulator = createAccumulator();
  let builder = createSegmentBuilder();
  /** Ordinals in the segment that is being built. */
  const pending = new Map<string, number>();
  /** Whether segments came since the last search. */
  let isGrown = false;

  function finishPending(): void {
    if (builder.count === 0) return;
    isGrown = true;
    const built = asMutable(builder.finish());
    if (pending.size < built.liveCount) keepOnly(built, new Set(pending.values()));
    builder = createSegmentBuilder();
    pending.clear();
    // What was replaced or removed already leaves nothing behind.
    if (built.liveCount < built.segment.count) segments.push(asMutable(mergeSegments([built])));
    else segments.push(built);
  }

  function flush(): void {
    finishPending();
    if (isGrown) mergeTail();
    isGrown = false;
  }

  /** Sizes stay geometric, so a document is merged a logarithmic number of times and few segments remain. */
  function mergeTail(): void {
    let first = segments.length - 1;
    let size = segments[first]!.liveCount;
    while (first > 0 && segments[first - 1]!.liveCount < MERGE_RATIO * size)
      size += segments[--first]!.liveCount;
    if (first < segments.length - 1) segments.push(asMutable(mergeSegments(segments.splice(first))));
  }

  /** Each document is merged once, also of many that came without a search in between. */
  function compact(): void {
    finishPending();
    if (segments.length > 1 || segments.some(({ segment, liveCount }) => liveCount < segment.count)) {
      segments = [asMutable(mergeSegments(segments))];
    }
  }

  return {
    put(documents) {
      for (const document of documents) {
        removeFrom(segments, document.id);
        pending.set(document.id, builder.add(document));
        if (builder.count >= MAX_PENDING) finishPending();
      }
    },
    remove(ids) {
      let removed = 0;
      for (const id of ids) if (pending.delete(id) || removeFrom(segments, id)) removed++;
      return removed;
    },
    search(query) {
      flush();
      return searchSegments(segments, query, accumulator);
    },
    select(without) {
      flush();
      return selectSegments(segments, without, 'without');
    },
    findTopics(id) {
      flush();
      return findDocumentTopics(segments, id);
    },
    compact,
    stats() {
      flush();
      const sum = (value: (segment: MutableSegment) => number) =>
        segments.reduce((total, s) => total + value(s), 0);
      return {
        documents: sum(({ liveCount }) => liveCount),
        terms: sum(({ segment }) => countTableStrings(segment.terms)),
        postings: sum(({ segment }) => segment.postings.places.length),
        segments: segments.length,
        bytes: sum(({ segment }) =>
          Object.values(packSegment(segment).sections).reduce(
            (total, section) => total + section.byteLength,
            0,
          ),
        ),
      };
    },
    save(meta) {
      compact();
      const segment = segments[0]?.segment ?? buildSegment([]);
      const { values, sections } = packSegment(segment);
      return encodeSnapshot(FORMAT, VERSION, { meta: { own: meta, segment: values }, sections });
    },
  };
}

interface MutableSegment extends LiveSegment {
  liveCount: number;
}

function asMutable(segment: Segment): MutableSegment {
  return { segment, live: createFullBitset(segment.count), liveCount: segment.count };
}

function keepOnly(part: MutableSegment, ordinals: ReadonlySet<number>): void {
  forEachBit(part.live, (doc) => {
    if (!ordinals.has(doc)) clearBit(part.live, doc);
  });
  part.liveCount = ordinals.size;
}

function removeFrom(segments: readonly MutableSegment[], id: string): boolean {
  for (const part of segments) {
    const doc = findSegmentDocument(part.segment, id);
    if (doc < 0 || !hasBit(part.live, doc)) continue;
    clearBit(part.live, doc);
    part.liveCount--;
    return true;
  }
  return false;
}
