import { type Bitset, hasBit } from '#engine/bitset';
import { CONFIDENCE_FLOOR, meaningWeights, tierFactors } from '../weights.ts';
import { type Accumulator, type Admitted, type Cursor, createCursor } from './accumulator.ts';
import { addFacetCounts, createTally, NO_FIELD, SEVERAL_FIELDS, type Tally } from './facets.ts';
import { type CompiledFilter, findAllowedDocuments, isByValue, MEETS } from './filters.ts';
import { findEvidence, measureDocuments, type SegmentMeaning } from './meaning.ts';
import { MOST_PER_STEP, offerHit } from './offer-hit.ts';
import { type Job, type Part, weighSource } from './search-job.ts';

/** A part with what is asked of its matches. */
interface Task {
  readonly part: Part;
  readonly job: Job;
  /** What the filters by value say; undefined where sets answered them all beforehand. */
  readonly tally: Tally | undefined;
  /** The other filters that no set answered beforehand. */
  readonly others: readonly CompiledFilter[];
  /** Documents near in meaning that their words have found. */
  readonly found: Set<number>;
}

/** Search one segment, block by block. */
export function searchPart(part: Part, job: Job, accumulator: Accumulator): void {
  const { live, filters } = part;
  // Facets count what each filter keeps out, so with them no set is applied beforehand.
  const allowed = job.facets ? live.live : findAllowedDocuments(live, filters);
  const remaining = job.facets ? filters : filters.filter(({ strict, set }) => !(strict && set));
  const byValue = remaining.filter(isByValue);
  const tally = job.facets || byValue.length > 0 ? createTally(live.segment, byValue) : undefined;
  const others = remaining.filter((filter) => !isByValue(filter));
  const task: Task = { part, job, tally, others, found: new Set() };
  const cursors = part.sources.map((sources, g) =>
    sources.map((source) => createCursor(source, weighSource(job.idfs[g]!, source.weight))),
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
  if (job.facets && tally) addFacetCounts(job.facets, live.segment, tally);
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
    for (const cursor of own) next = Math.min(next, cursor.next);
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
  const { job, tally, others, found } = task;
  const { meaning } = task.part;
  if (meaning !== undefined) measureDocuments(meaning, listDocuments(matches, start));
  const isPlain = others.length === 0 && tally === undefined;
  const isByScore = job.query.sort === 'popularity' && meaning === undefined;
  let total = 0;
  let fitting = 0;
  let { floor } = job.top;
  // Most matches have the same groups as the one before.
  let needs: Needs | undefined;
  for (let i = 0; i < matches.count; i++) {
    const place = matches.list[i]!;
    const groups = state[place * 2 + 1]!;
    if (needs === undefined || needs.groups !== groups) needs = needsOf(groups, job);
    const score = state[place * 2]!;
    const nearness = meaning === undefined ? 0 : findEvidence(meaning, start + place);
    const isMeant = nearness >= meaningWeights.fitting && needs.taken !== NEVER;
    if (score < needs.taken && !isMeant) continue;
    if (nearness >= meaningWeights.near) found.add(start + place);
    const kept = isPlain ? 1 : applyFilters(task, start + place);
    if (kept === 0) continue;
    total++;
    const isFitting = isMeant || score >= needs.fitting;
    if (isFitting) fitting++;
    // Most matches could not be among the best however popular they were: two reads from memory are spared.
    if (isByScore && score * (isFitting ? 1 : tierFactors.close) * MOST_PER_STEP < floor) continue;
    offerHit(task, start + place, { score, coverage: needs.coverage, kept, isFitting });
    ({ floor } = job.top);
  }
  job.total += total;
  job.fitting += fitting;
}

function listDocuments({ list, count }: Accumulator['matches'], start: number): Uint32Array {
  const documents = new Uint32Array(count);
  for (let i = 0; i < count; i++) documents[i] = start + list[i]!;
  return documents;
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

/** A score that none reaches. */
const NEVER = Number.POSITIVE_INFINITY;

/** From which scores on a document with these groups is a hit, and fits. */
interface Needs {
  readonly groups: number;
  readonly coverage: number;
  readonly taken: number;
  readonly fitting: number;
}

function needsOf(groups: number, job: Job): Needs {
  const { model, isLoose } = job.query;
  const coverage = job.coverageOf(groups);
  const shown = job.leastShown(groups);
  const fitting = Math.max(shown, job.leastFitting(groups));
  const close = coverage < 1 ? shown : Math.min(shown, job.required === 1 ? job.leastScore : 0);
  const isHopeless = coverage < (model === 'strict' ? 1 : CONFIDENCE_FLOOR);
  const taken = isHopeless ? NEVER : isLoose ? 0 : close;
  return { groups, coverage, taken, fitting };
}

/** What the filters leave of a document's relevance: 0 where a strict one excludes it. For facets it is counted where at most the
 *  filter by one value does. */
function applyFilters({ job, tally, others }: Task, doc: number): number {
  if (tally === undefined) return applyOthers(others, doc, 1);
  const combination = tally.of[doc]!;
  const by = tally.excludedBy[combination]! || tally.judge(doc);
  if (by === SEVERAL_FIELDS || (by !== NO_FIELD && job.facets === undefined)) return 0;
  if (others.length === 0) {
    tally.counts[combination]!++;
    return by === NO_FIELD ? tally.factors[combination]! : 0;
  }
  const kept = applyOthers(others, doc, tally.factors[combination]!);
  if (kept === 0) return 0;
  tally.counts[combination]!++;
  return by === NO_FIELD ? kept : 0;
}

/** @param factor what the filters before these leave */
function applyOthers(others: readonly CompiledFilter[], doc: number, factor: number): number {
  let kept = factor;
  for (const filter of others) {
    const verdict = filter.judge(doc);
    if (verdict === MEETS) continue;
    if (filter.strict) return 0;
    kept *= filter.factors[verdict];
  }
  return kept;
}
