import { clearBit, createFullBitset, forEachBit, hasBit } from '../bitset.ts';
import { type DecodeOptions, decodeSnapshot, encodeSnapshot } from '../snapshot.ts';
import { countTableStrings } from '../string-table.ts';
import { createAccumulator } from './search/accumulator.ts';
import { searchSegments } from './search/search.ts';
import { buildSegment, createSegmentBuilder } from './segment/build-segment.ts';
import { beginMerge, type Merge, mergeSegments } from './segment/merge-segments.ts';
import { packSegment, unpackSegment } from './segment/pack-segment.ts';
import {
  findDocumentTopics,
  findSegmentDocument,
  type LiveSegment,
  type Segment,
  selectSegments,
} from './segment/segment.ts';
import type { ObjectAnswer, ObjectDocument, ObjectQuery } from './types.ts';

/** A segment is merged with the one before it unless that one is at least this many times its size. */
const MERGE_RATIO = 4;
/** What would come to more documents is merged by `compact` only: one step of its merge would be a pause. */
const MAX_MERGED = 2 ** 14;
/** What one call does of a merge, as postings, where two segments wait for it; by the square of their number, so that few remain however
 *  seldom is searched. */
const MERGE_STEP = 2 ** 12;

const FORMAT = 'skilldock-objects';
/** Raise this whenever the meaning of a section changes: older snapshots are then rebuilt. */
const VERSION = 6;

/** A searchable, changeable set of learning objects. A change is visible to the next search. */
export interface ObjectIndex {
  /** Add documents; one with a known id replaces the one before. Takes some 35 µs for each: give it a few hundred at a time where searches
   *  must not wait. */
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

/** @param mergeStep how much of a merge a call does */
export function createObjectIndex(mergeStep = MERGE_STEP): ObjectIndex {
  return indexOf([], mergeStep);
}

/** Errors: SNAPSHOT_INVALID. */
export function loadObjectIndex(
  block: Uint8Array,
  options?: DecodeOptions,
): { index: ObjectIndex; meta: unknown } {
  const { meta, sections } = decodeSnapshot(FORMAT, VERSION, block, options);
  const { own, segment: values } = meta as { own: unknown; segment: unknown };
  return { index: indexOf([unpackSegment(sections, values)], MERGE_STEP), meta: own };
}

function indexOf(initial: readonly Segment[], mergeStep: number): ObjectIndex {
  let segments: MutableSegment[] = initial.map(asMutable);
  const accumulator = createAccumulator();
  let builder = createSegmentBuilder();
  /** The merge that is not finished yet. Until then its parts are searched. */
  let merging: Merging | undefined;

  /** @return how many postings came of it */
  function finishPending(): number {
    if (builder.count === 0) return 0;
    const built = builder.finish();
    builder = createSegmentBuilder();
    // What was replaced or removed already leaves nothing behind.
    segments.push(built.liveCount < built.segment.count ? asMutable(mergeSegments([built])) : built);
    return built.segment.postings.places.length;
  }

  /** Before each look at the segments: what was put becomes one, and merging goes on a little. */
  function flush(): void {
    let done = finishPending();
    merging ??= mergeTail();
    if (merging === undefined) return;
    const waiting = segments.length - segments.indexOf(merging.parts[0]!);
    while (merging !== undefined && done < mergeStep * waiting ** 2) {
      const step = merging.merge.next();
      if (step.done) {
        const { parts } = merging;
        segments.splice(segments.indexOf(parts[0]!), parts.length, toMerged(merging, step.value));
        merging = mergeTail();
      } else done += step.value;
    }
  }

  /** Sizes stay geometric, so a document is merged a logarithmic number of times and few segments remain. */
  function mergeTail(): Merging | undefined {
    segments = segments.filter(({ liveCount }) => liveCount > 0);
    let first = segments.length;
    let [live, count] = [0, 0];
    for (const part of segments.toReversed()) {
      count += part.segment.count;
      if (count > MAX_MERGED || (live > 0 && part.liveCount >= MERGE_RATIO * live)) break;
      live += part.liveCount;
      first--;
    }
    if (first >= segments.length - 1) return undefined;
    const parts = segments.slice(first);
    const before = parts.map((part) => ({ ...part, live: part.live.slice() }));
    return { parts, before, merge: beginMerge(before) };
  }

  /** Each document is merged once, also of many that came without a search in between. */
  function compact(): void {
    finishPending();
    merging = undefined;
    if (segments.length > 1 || segments.some(({ segment, liveCount }) => liveCount < segment.count)) {
      segments = [asMutable(mergeSegments(segments))];
    }
  }

  return {
    put(documents) {
      for (const document of documents) {
        removeFrom(segments, document.id);
        builder.add(document);
      }
    },
    remove(ids) {
      let removed = 0;
      for (const id of ids) if (builder.remove(id) || removeFrom(segments, id)) removed++;
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

interface Merging {
  readonly parts: readonly MutableSegment[];
  /** As they were when it began. */
  readonly before: readonly LiveSegment[];
  readonly merge: Merge;
}

/** Without what was removed while they were merged. */
function toMerged({ parts, before }: Merging, segment: Segment): MutableSegment {
  const merged = asMutable(segment);
  let next = 0;
  for (const [p, { live }] of parts.entries()) {
    forEachBit(before[p]!.live, (doc) => {
      const ordinal = next++;
      if (!hasBit(live, doc)) removeDocument(merged, ordinal);
    });
  }
  return merged;
}

function removeFrom(segments: readonly MutableSegment[], id: string): boolean {
  for (const part of segments) {
    const doc = findSegmentDocument(part.segment, id);
    if (doc < 0 || !hasBit(part.live, doc)) continue;
    removeDocument(part, doc);
    return true;
  }
  return false;
}

function removeDocument(part: MutableSegment, doc: number): void {
  clearBit(part.live, doc);
  part.liveCount--;
}
