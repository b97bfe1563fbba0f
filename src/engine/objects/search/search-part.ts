import { type Bitset, hasBit } from '../../bitset.ts';
import { CONFIDENCE_FLOOR, meaningWeights } from '../weights.ts';
import type { Accumulator, Admitted, Cursor } from './accumulator.ts';
import type { SegmentFacets } from './facets.ts';
import { type CompiledFilter, findAllowedDocuments, MEETS } from './filters.ts';
import type { SegmentMeaning } from './meaning.ts';
import { offerHit } from './offer-hit.ts';
import { type Job, type Part, weighSource } from './search-job.ts';

/** A part with what is asked of its matches. */
interface Task {
  readonly part: Part;
  readonly job: Job;
  /** Filters that no set answered beforehand. */
  readonly remaining: readonly CompiledFilter[];
  readonly facets: SegmentFacets | undefined;
  /** Documents near in meaning that their words have found. */
  readonly found: Set<number>;
}

/** Search one segment, block by block. */
export function searchPart(part: Part, job: Job, accumulator: Accumulator): void {
  const { live, filters } = part;
  // Facets count what each filter keeps out, so with them no set is applied beforehand.
  const allowed = job.facets ? live.live : findAllowedDocuments(live, filters);
  const remaining = job.facets ? filters : filters.filter(({ strict, set }) => !(strict && set));
  const facets = job.facets?.begin(live.segment);
  const task: Task = { part, job, remaining, facets, found: new Set() };
  const cursors = part.sources.map((sources, g) =>
    sources.map(({ docs, impacts, weight }): Cursor => {
      return { docs, impacts, factor: weighSource(job.idfs[g]!, weight), position: 0 };
    }),
  );
  const admitted = cursors.map((_, g) => admittedTo(g, allowed, job));
  // Strictly, nothing is where the first group is not.
  const leaders = job.query.model === 'strict' ? cursors.slice(0, 1) : cursors;
  const next = () => Math.floor(nextDocument(leaders) / accumulator.block) * accumulator.block;
  for (let start = next(); start < live.segment.count; start = next()) {
    accumulator.begin(start);
    if (addGroups(cursors, admitted, accumulator)) offerMatches(task, start, accumulator);
  }
  if (part.meaning !== undefined) offerNear(task, part.meaning, allowed);
  facets?.end();
}

/** @return whether there may be a match */
function addGroups(
  cursors: readonly (readonly Cursor[])[],
  admitted: readonly Admitted[],
  accumulator: Accumulator,
): boolean {
  let matches = 0;
  for (const [g, own] of cursors.entries()) {
    matches = accumulator.addGroup(own, admitted[g]!);
    if (matches === 0 && admitted[g + 1] === 'all') return false;
  }
  return matches > 0;
}

/** The next document of any of the lists; beyond all of them, infinity. */
function nextDocument(cursors: readonly (readonly Cursor[])[]): number {
  let next = Number.POSITIVE_INFINITY;
  for (const own of cursors) {
    for (const { docs, position } of own) if (position < docs.length) next = Math.min(next, docs[position]!);
  }
  return next;
}

/** Documents a group may still make into hits. Those that have none of the groups before need not be looked at once the
 *  groups that are left have too little idf between them to be shown: with the commonest words last, the longest lists
 *  bring nothing new. */
function admittedTo(
  group: number,
  allowed: Exclude<Admitted, string>,
  { query, required, coverageOf }: Job,
): Admitted {
  if (group === 0) return allowed;
  if (group >= required) return 'any';
  if (query.model === 'strict') return 'all';
  const fromHere = 2 ** required - 2 ** group;
  return coverageOf(fromHere) < CONFIDENCE_FLOOR ? 'any' : allowed;
}

/** Judge what was found in a block and keep the best. */
function offerMatches(task: Task, start: number, { matches, state }: Accumulator): void {
  const { job, facets, remaining, found } = task;
  const least = job.query.model === 'strict' ? 1 : CONFIDENCE_FLOOR;
  const isPlain = remaining.length === 0 && facets === undefined;
  const { coverageOf, leastShown, leastFitting } = job;
  const leastClose = job.required === 1 ? job.leastScore : 0;
  const evidence = task.part.meaning?.evidence;
  let total = 0;
  let fitting = 0;
  for (let i = 0; i < matches.count; i++) {
    const place = matches.list[i]!;
    const groups = state[place * 2 + 1]!;
    const coverage = coverageOf(groups);
    if (coverage < least) continue;
    const score = state[place * 2]!;
    const nearness = evidence === undefined ? 0 : evidence[start + place]!;
    const isMeant = nearness >= meaningWeights.fitting;
    const isShown = isMeant || score >= leastShown(groups);
    if (!isShown && !job.query.isLoose && (coverage < 1 || score < leastClose)) continue;
    if (nearness >= meaningWeights.near) found.add(start + place);
    const isFitting = isMeant || (isShown && score >= leastFitting(groups));
    const kept = isPlain ? 1 : applyFilters(task, start + place);
    if (kept === 0) continue;
    total++;
    if (isFitting) fitting++;
    offerHit(task, start + place, { score, coverage, kept, isFitting });
  }
  job.total += total;
  job.fitting += fitting;
}

/** What is near in meaning, and was not found by its words. */
function offerNear(task: Task, { near }: SegmentMeaning, allowed: Bitset): void {
  for (const doc of near) {
    if (!hasBit(allowed, doc) || task.found.has(doc)) continue;
    const kept = applyFilters(task, doc);
    if (kept === 0) continue;
    task.job.total++;
    offerHit(task, doc, { score: 0, coverage: 0, kept, isFitting: false });
  }
}

/** What the filters leave of a document's relevance: 0 where a strict one excludes it. */
function applyFilters({ remaining, facets }: Task, doc: number): number {
  let kept = 1;
  let excluding = 0;
  let excludedBy: CompiledFilter | undefined;
  for (const filter of remaining) {
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
