import { type Bitset, isOverlapping } from '../bitset.ts';
import { hashString, mixBits } from '../hash.ts';
import { type Accumulator, type Admitted, createAccumulator } from './accumulator.ts';
import { answerOf } from './answer.ts';
import { createCoverage, idfsOf } from './coverage.ts';
import { createFacetCounter, type SegmentFacets } from './facets.ts';
import { allowedDocuments, type CompiledFilter, compileFilters, MEETS } from './filters.ts';
import type { LiveSegment } from './merge-segments.ts';
import { findSources, type Source } from './posting-sources.ts';
import { planQuery } from './query-plan.ts';
import type { Job, Part } from './search-job.ts';
import { createTopK } from './top-k.ts';
import type { ObjectAnswer, ObjectQuery } from './types.ts';
import { CONFIDENCE_FLOOR, POPULARITY_LIFT, SHUFFLE_TIERS } from './weights.ts';

/** A segment with its room to compute in. */
export interface SearchableSegment extends LiveSegment {
  accumulator?: Accumulator;
}

/** Search several segments as one index.
 *  Source: term-at-a-time scoring, Turtle & Flood 1995, with filters as bitsets before it and as factors after it. */
export function searchSegments(segments: readonly SearchableSegment[], query: ObjectQuery): ObjectAnswer {
  const plan = planQuery(query, query.langs ?? languagesOf(segments));
  const found = findSources(segments, plan, query.model);
  const documents = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const order = [...found.keys()].sort((a, b) => found[a]!.frequency - found[b]!.frequency);
  const idfs = idfsOf(
    order.map((g) => found[g]!.frequency),
    documents,
  );
  const job: Job = {
    query,
    truncated: plan.truncated,
    groups: order.map((g) => plan.groups[g]!),
    found: order.map((g) => found[g]!),
    idfs,
    coverageOf: createCoverage(idfs),
    seed: hashString(query.seed ?? ''),
    facets: query.details ? createFacetCounter() : undefined,
    top: createTopK(query.offset + query.limit),
    total: 0,
  };
  const parts = partsOf(segments, query);
  for (const [p, part] of parts.entries()) {
    const sources = job.found.map((group) => group.sources[p]!);
    part.accumulator.clear();
    if (query.model === 'strict' && sources.some((own) => own.length === 0)) continue;
    searchPart(part, sources, job);
  }
  return answerOf(parts, job);
}

function partsOf(segments: readonly SearchableSegment[], query: ObjectQuery): Part[] {
  let base = 0;
  return segments.map((live) => {
    live.accumulator ??= createAccumulator(live.segment.count);
    const filters = compileFilters(live.segment, query.filters);
    const part = { live, filters, accumulator: live.accumulator, base };
    base += live.segment.count;
    return part;
  });
}

function searchPart(part: Part, sources: readonly (readonly Source[])[], job: Job): void {
  const { live, filters, accumulator } = part;
  const least = job.query.model === 'strict' ? 1 : CONFIDENCE_FLOOR;
  // Facets count what each filter keeps out, so with them no set is applied beforehand.
  const allowed = job.facets ? live.live : allowedDocuments(live, filters);
  const remaining = job.facets ? filters : filters.filter(({ strict, set }) => !(strict && set));
  for (const [g, own] of sources.entries()) {
    accumulator.addGroup(own, job.idfs[g]!, admittedTo(g, allowed, job));
  }
  const facets = job.facets?.begin(live.segment);
  for (let i = 0; i < accumulator.touchedCount; i++) {
    const doc = accumulator.touched[i]!;
    const coverage = job.coverageOf(accumulator.groups(doc));
    if (coverage < least) continue;
    const kept = remaining.length === 0 && facets === undefined ? 1 : applyFilters(remaining, doc, facets);
    if (kept === 0) continue;
    job.total++;
    if (job.query.sort === 'random') offerShuffled(part, doc, kept, job);
    else offerRanked(part, doc, (0.5 + 0.5 * coverage) * kept, job);
  }
  facets?.end();
}

/** Documents a group may still make into hits. Those that have none of the groups before need not be looked at once the
 *  groups that are left have too little idf between them to be shown: with the commonest words last, the longest lists
 *  bring nothing new. */
function admittedTo(group: number, allowed: Bitset, { query, groups, coverageOf }: Job): Admitted {
  if (group === 0) return allowed;
  if (query.model === 'strict') return 'complete';
  const fromHere = 2 ** groups.length - 2 ** group;
  return coverageOf(fromHere) < CONFIDENCE_FLOOR ? 'touched' : allowed;
}

/** Put a hit in its place of the shuffle. What meets the filters better still comes first: the shuffle is among equals. */
function offerShuffled({ live, base }: Part, doc: number, kept: number, { seed, top }: Job): void {
  const hash = live.segment.columns.idHash[doc]!;
  top.offer(Math.round(kept * SHUFFLE_TIERS) * 2 ** 32 + mixBits(hash ^ seed), hash, base + doc);
}

/** Put a hit in its place among the best. */
function offerRanked({ live, accumulator, base }: Part, doc: number, factor: number, { top }: Job): void {
  const { idHash, popularity } = live.segment.columns;
  const relevance = accumulator.score(doc) * factor;
  // Most matches could not be among the best however popular they were: two reads from memory are spared.
  if (relevance * MAX_LIFT < top.floor) return;
  top.offer(relevance * popularityLift(popularity[doc]!), idHash[doc]!, base + doc);
}

/** What the filters leave of a document's relevance: 0 where a strict one excludes it. */
function applyFilters(
  filters: readonly CompiledFilter[],
  doc: number,
  facets: SegmentFacets | undefined,
): number {
  let kept = 1;
  let excluding = 0;
  let excludedBy: CompiledFilter | undefined;
  for (const filter of filters) {
    const verdict = filter.judge(doc);
    if (verdict === MEETS) continue;
    if (!filter.strict) {
      kept *= filter.factors[verdict];
      continue;
    }
    if (facets === undefined) return 0;
    excluding++;
    excludedBy = filter;
  }
  if (excluding <= 1) facets?.add(doc, excludedBy?.name);
  return excluding > 0 ? 0 : kept;
}

/** Popularity is at most 1; a hair more for what rounding to 32 bits may add. */
const MAX_LIFT = 1.0001 * (1 + POPULARITY_LIFT);

function popularityLift(popularity: number): number {
  return Number.isNaN(popularity) ? 1 : 1 + POPULARITY_LIFT * popularity;
}

/** Languages of the documents, without those whose documents were all removed. */
function languagesOf(segments: readonly SearchableSegment[]): string[] {
  const langs = segments.flatMap(({ segment, live, liveCount }) => {
    const { values, sets } = segment.valueSets.lang;
    return liveCount === segment.count ? values : values.filter((_, v) => isOverlapping(sets[v]!, live));
  });
  return [...new Set(langs)];
}
