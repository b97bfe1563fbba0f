import { sumValues } from '../arrays.ts';
import { clearBit, createFullBitset, forEachBit, hasBit } from '../bitset.ts';
import type { DecodeOptions } from '../snapshot.ts';
import { decodeSnapshotStructure, encodeSnapshotStructure, splitSnapshotStructure } from '../snapshot.ts';
import { countStrings } from '../string-table.ts';
import { createAccumulator } from './search/accumulator.ts';
import { searchSegments } from './search/search.ts';
import { buildSegment, createSegmentBuilder, type SegmentBuilder } from './segment/build-segment.ts';
import { beginSegmentMerge, type Merge, mergeSegments } from './segment/merge-segments.ts';
import type { LiveSegment, Segment } from './segment/segment.ts';
import { findSegmentDocument, findSegmentTopics, selectSegments } from './segment/segment.ts';
import type { ObjectAnswer, ObjectDocument, ObjectQuery } from './types.ts';

/** A segment is merged with the one before, unless that is this many times larger. */
const MERGE_RATIO = 4;
/** The most documents of a merge; `compact` does larger ones, as one step would block searches. */
const MAX_MERGED_DOCUMENTS = 2 ** 14;
/** Postings that one call merges for each pair of waiting segments, so that few segments remain
 *  even if the index is rarely searched. */
const MERGE_STEP = 2 ** 12;

const FORMAT = 'skilldock-objects';
/** Raise this whenever the meaning of a section changes: older snapshots are then rebuilt. */
const VERSION = 9;

/** A searchable set of learning objects. The next search sees each change. */
export interface ObjectIndex {
  /** Adds or replaces documents, in about 35 µs each: put a few hundred at a time. */
  put(documents: Iterable<ObjectDocument>): void;
  remove(ids: Iterable<string>): number;
  search(query: ObjectQuery): ObjectAnswer;
  /** Returns the current segments without these documents, for `createObjectView`. */
  select(without: Iterable<string>): readonly LiveSegment[];
  /** Returns no topics if there is no such document. */
  findTopics(id: string): Required<Pick<ObjectDocument, 'topics' | 'widerTopics'>>;
  /** Merges all segments into one and drops removed documents. */
  compact(): void;
  stats(): ObjectIndexStats;
  /** Packs the index into a block. @param meta facts that loading returns, as a fingerprint */
  save(meta: unknown): Uint8Array;
}

export interface ObjectIndexStats {
  readonly documents: number;
  readonly terms: number;
  readonly postings: number;
  readonly segments: number;
  readonly bytes: number;
}

/** @param mergeStep how many postings one call merges */
export const createObjectIndex = (mergeStep = MERGE_STEP): ObjectIndex => openObjectIndex([], mergeStep);

/** Errors: SNAPSHOT_INVALID. */
export function loadObjectIndex(block: Uint8Array, options?: DecodeOptions): { index: ObjectIndex; meta: unknown } {
  const { structure, meta } = decodeSnapshotStructure(FORMAT, VERSION, block, options);
  return { index: openObjectIndex([structure as Segment], MERGE_STEP), meta };
}

interface IndexState {
  segments: MutableSegment[];
  /** The documents that were put since the last flush. */
  builder: SegmentBuilder;
  /** The unfinished merge; its parts are searched until it ends. */
  merging: Merging | undefined;
  readonly mergeStep: number;
}

type MutableSegment = LiveSegment & { liveCount: number };

interface Merging {
  readonly parts: readonly MutableSegment[];
  /** The parts with the documents that were live when the merge began. */
  readonly before: readonly LiveSegment[];
  readonly merge: Merge;
}

function openObjectIndex(initial: readonly Segment[], mergeStep: number): ObjectIndex {
  const segments = initial.map(toMutableSegment);
  const state: IndexState = { segments, builder: createSegmentBuilder(), merging: undefined, mergeStep };
  const tools = { accumulator: createAccumulator() };
  return {
    put(documents) {
      for (const document of documents) {
        removeFromSegments(state.segments, document.id);
        state.builder.add(document);
      }
    },
    remove(ids) {
      let removed = 0;
      for (const id of ids) if (state.builder.remove(id) || removeFromSegments(state.segments, id)) removed++;
      return removed;
    },
    search: (query) => searchSegments(flushChanges(state), query, tools),
    select: (without) => selectSegments(flushChanges(state), without, 'without'),
    findTopics: (id) => findSegmentTopics(flushChanges(state), id),
    compact: () => compactSegments(state),
    stats: () => measureSegments(flushChanges(state)),
    save(meta) {
      compactSegments(state);
      const structure = state.segments[0]?.segment ?? buildSegment([]);
      return encodeSnapshotStructure(FORMAT, VERSION, { structure, meta });
    },
  };
}

/** Makes a segment of new documents, and merges for a step. @returns the segments to search */
function flushChanges(state: IndexState): readonly MutableSegment[] {
  let work = flushBuilder(state);
  state.merging ??= beginTailMerge(state);
  if (state.merging === undefined) return state.segments;
  const waiting = state.segments.length - state.segments.indexOf(state.merging.parts[0]!);
  while (state.merging !== undefined && work < state.mergeStep * waiting ** 2) {
    const { parts, merge } = state.merging;
    const step = merge.next();
    if (step.done) {
      const merged = finishMerge(state.merging, step.value);
      state.segments.splice(state.segments.indexOf(parts[0]!), parts.length, merged);
      state.merging = beginTailMerge(state);
    } else work += step.value;
  }
  return state.segments;
}

/** @returns the number of postings of the new segment */
function flushBuilder(state: IndexState): number {
  if (state.builder.count === 0) return 0;
  const built = state.builder.finish();
  state.builder = createSegmentBuilder();
  // Drops documents that were replaced or removed meanwhile.
  const isWhole = built.liveCount === built.segment.count;
  state.segments.push(isWhole ? built : toMutableSegment(mergeSegments([built])));
  return built.segment.postings.places.length;
}

/** Begins to merge the last segments of similar size. Sizes stay geometric, so that a document is
 *  merged a logarithmic number of times. */
function beginTailMerge(state: IndexState): Merging | undefined {
  state.segments = state.segments.filter(({ liveCount }) => liveCount > 0);
  let first = state.segments.length;
  let live = 0;
  let count = 0;
  for (const part of state.segments.toReversed()) {
    count += part.segment.count;
    if (count > MAX_MERGED_DOCUMENTS || (live > 0 && part.liveCount >= MERGE_RATIO * live)) break;
    live += part.liveCount;
    first--;
  }
  if (first >= state.segments.length - 1) return undefined;
  const parts = state.segments.slice(first);
  const before = parts.map((part) => ({ ...part, live: part.live.slice() }));
  return { parts, before, merge: beginSegmentMerge(before) };
}

/** Makes a segment of the result, without the documents that were removed during the merge. */
function finishMerge({ parts, before }: Merging, segment: Segment): MutableSegment {
  const merged = toMutableSegment(segment);
  let next = 0;
  for (const [p, { live }] of parts.entries()) {
    forEachBit(before[p]!.live, (doc) => {
      const ordinal = next++;
      if (!hasBit(live, doc)) removeDocument(merged, ordinal);
    });
  }
  return merged;
}

function compactSegments(state: IndexState): void {
  flushBuilder(state);
  state.merging = undefined;
  const { segments } = state;
  if (segments.length > 1 || segments.some(({ segment, liveCount }) => liveCount < segment.count)) {
    state.segments = [toMutableSegment(mergeSegments(segments))];
  }
}

function measureSegments(segments: readonly MutableSegment[]): ObjectIndexStats {
  const sections = segments.flatMap(({ segment }) => Object.values(splitSnapshotStructure(segment).sections));
  return {
    documents: sumValues(segments.map(({ liveCount }) => liveCount)),
    terms: sumValues(segments.map(({ segment }) => countStrings(segment.terms))),
    postings: sumValues(segments.map(({ segment }) => segment.postings.places.length)),
    segments: segments.length,
    bytes: sumValues(sections.map(({ byteLength }) => byteLength)),
  };
}

function toMutableSegment(segment: Segment): MutableSegment {
  return { segment, live: createFullBitset(segment.count), liveCount: segment.count };
}

function removeFromSegments(segments: readonly MutableSegment[], id: string): boolean {
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
