import { type Bitset, hasBit } from '#engine/bitset';
import { CONFIDENCE_FLOOR, ENOUGH_FITTING, meaningWeights, tierFactors } from '../weights.ts';
import { type Accumulator, type Admitted, type Cursor, createAccumulatorCursor } from './accumulator.ts';
import { addFacetCounts, createFacetTally, NO_FIELD, SEVERAL_FIELDS, type Tally } from './facets.ts';
import { type CompiledFilter, findAllowedDocuments, isByValue, MEETS } from './filters.ts';
import type { SegmentMeaning } from './meaning.ts';
import { findMeaningEvidence, findNearMeanings, isUnlikeMeaning, measureDocumentMeanings } from './meaning.ts';
import { MAX_PER_STEP, offerHit } from './offer-hit.ts';
import { type Job, type Part, weighJobSource } from './search-job.ts';

export interface Task {
  readonly part: Part;
  readonly job: Job;
  /** Documents that the strict filters leave; all live ones where facets are counted. */
  readonly allowed: Bitset;
  /** Applies the filters by value; undefined if sets already did. */
  readonly tally: Tally | undefined;
  readonly others: readonly CompiledFilter[];
  /** Near documents that already matched by words. */
  readonly foundByWords: Set<number>;
}

/** Searches one segment by words, block by block:
 *  1. Sets apply the strict filters, unless facets are counted.
 *  2. The accumulator sums up the scores of the groups in each document of a block.
 *  3. Each match is compared with the least score of its groups, filtered, and put on the heap. */
export function searchPartByWords(part: Part, job: Job, accumulator: Accumulator): Task {
  const { live, filters } = part;
  // Facets count what each filter excludes, so no set is applied with facets.
  const allowed = job.facets ? live.live : findAllowedDocuments(live, filters);
  const remaining = job.facets ? filters : filters.filter(({ strict, set }) => !(strict && set));
  const byValue = remaining.filter(isByValue);
  const tally = job.facets || byValue.length > 0 ? createFacetTally(live.segment, byValue) : undefined;
  const others = remaining.filter((filter) => !isByValue(filter));
  const task: Task = { part, job, allowed, tally, others, foundByWords: new Set() };
  const cursors = part.sources.map((sources, g) =>
    sources.map((source) => createAccumulatorCursor(source, weighJobSource(job.idfs[g]!, source.weight))),
  );
  const admitted = cursors.map((_, g) => findAdmitted(g, allowed, job));
  // In the strict model, a document without the first group is not a match.
  const leaders = job.query.model === 'strict' ? cursors.slice(0, 1) : cursors;
  const next = () => Math.floor(nextDocument(leaders) / accumulator.block) * accumulator.block;
  for (let start = next(); start < live.segment.count; start = next()) {
    accumulator.begin(start);
    if (addPartGroups(cursors, admitted, accumulator)) offerPartMatches(task, start, accumulator);
  }
  return task;
}

export function countPartFacets({ part, job, tally }: Task): void {
  if (job.facets && tally) addFacetCounts(job.facets, part.live.segment, tally);
}

/** @returns whether there may be a match */
function addPartGroups(
  cursors: readonly (readonly Cursor[])[],
  admitted: readonly Admitted[],
  accumulator: Accumulator,
): boolean {
  let matches = 0;
  for (const [g, ofGroup] of cursors.entries()) {
    matches = accumulator.addGroup(ofGroup, admitted[g]!);
    if (matches === 0 && admitted[g + 1] === 'all') return false;
  }
  return matches > 0;
}

/** Finds the next document of any of the lists; infinite at their end. */
function nextDocument(cursors: readonly (readonly Cursor[])[]): number {
  let next = Number.POSITIVE_INFINITY;
  for (const ofGroup of cursors) for (const cursor of ofGroup) next = Math.min(next, cursor.next);
  return next;
}

/** Once the remaining groups have too little idf to make a hit, only documents with earlier groups
 *  are admitted. As the commonest words come last, the longest lists add no documents. */
function findAdmitted(group: number, allowed: Exclude<Admitted, string>, job: Job): Admitted {
  const { query, required, coverageOf } = job;
  if (group === 0) return allowed;
  if (group >= required) return 'any';
  if (query.model === 'strict') return 'all';
  const fromHere = 2 ** required - 2 ** group;
  return coverageOf(fromHere) < CONFIDENCE_FLOOR ? 'any' : allowed;
}

function offerPartMatches(task: Task, start: number, { matches, scores }: Accumulator): void {
  const { job, tally, others, foundByWords } = task;
  const { meaning } = task.part;
  const measures = meaning && createPartMeasureRule(job);
  if (meaning !== undefined && measures !== undefined)
    measurePartMatches(task, { start, matches, scores, meaning, measures });
  const isPlain = others.length === 0 && tally === undefined;
  const isByRelevance = job.query.sort === 'popularity';
  const mostByMeaning = meaning === undefined ? 0 : job.meaningScore;
  let total = 0;
  let fitting = 0;
  let { floor } = job.top;
  // Most matches have the same groups as the previous one.
  let thresholds: Thresholds | undefined;
  for (let i = 0; i < matches.count; i++) {
    const place = matches.list[i]!;
    const groups = scores[place * 2 + 1]!;
    if (thresholds === undefined || thresholds.groups !== groups) thresholds = findPartThresholds(groups, job);
    const score = scores[place * 2]!;
    const isMeasured = meaning !== undefined && measures!(score, thresholds);
    const nearness = isMeasured ? findMeaningEvidence(meaning, start + place) : 0;
    const fitsByMeaning = nearness >= meaningWeights.fitting;
    if (score < thresholds.hit && !fitsByMeaning) continue;
    const isFitting = fitsByMeaning || score >= thresholds.fitting;
    if (!isFitting && isMeasured && isUnlikeMeaning(meaning, start + place)) continue;
    if (nearness >= meaningWeights.near) foundByWords.add(start + place);
    const filterFactor = isPlain ? 1 : applyPartFilters(task, start + place);
    if (filterFactor === 0) continue;
    total++;
    if (isFitting) fitting++;
    // Most matches cannot be among the best, however popular and near they are.
    const most = score * (0.5 + 0.5 * thresholds.coverage) + mostByMeaning;
    if (isByRelevance && most * (isFitting ? 1 : tierFactors.close) * MAX_PER_STEP < floor) continue;
    offerHit(task, start + place, { score, coverage: thresholds.coverage, filterFactor, isFitting });
    ({ floor } = job.top);
  }
  job.total += total;
  job.fitting += fitting;
}

type MeasureRule = (score: number, thresholds: Thresholds) => boolean;

/** Chooses the matches to measure: in a large catalogue with enough fitting hits, only hits by
 *  words that may be among the best. */
function createPartMeasureRule({ query, isLarge, fitting, top: { floor }, meaningScore }: Job): MeasureRule {
  if (!isLarge || fitting < ENOUGH_FITTING) return (_score, { hit }) => hit !== NEVER;
  const least = query.sort === 'popularity' ? floor / MAX_PER_STEP - meaningScore : 0;
  return (score, thresholds) => score >= thresholds.hit && (score < thresholds.fitting || score >= least);
}

function measurePartMatches(
  { job }: Task,
  {
    start,
    matches,
    scores,
    meaning,
    measures,
  }: Pick<Accumulator, 'matches' | 'scores'> & {
    readonly start: number;
    readonly meaning: SegmentMeaning;
    readonly measures: MeasureRule;
  },
): void {
  const documents = new Uint32Array(matches.count);
  let count = 0;
  let thresholds: Thresholds | undefined;
  for (let i = 0; i < matches.count; i++) {
    const place = matches.list[i]!;
    const groups = scores[place * 2 + 1]!;
    if (thresholds?.groups !== groups) thresholds = findPartThresholds(groups, job);
    if (measures(scores[place * 2]!, thresholds)) documents[count++] = start + place;
  }
  measureDocumentMeanings(meaning, documents.subarray(0, count));
}

/** Offers documents that are near in meaning and do not match by words, as close hits. */
export function searchPartByMeaning(task: Task): void {
  const { meaning } = task.part;
  if (meaning === undefined) return;
  for (const doc of findNearMeanings(meaning)) {
    if (!hasBit(task.allowed, doc) || task.foundByWords.has(doc)) continue;
    const filterFactor = applyPartFilters(task, doc);
    if (filterFactor === 0) continue;
    task.job.total++;
    offerHit(task, doc, { score: 0, coverage: 0, filterFactor, isFitting: false });
  }
}

/** A score that no document reaches. */
const NEVER = Number.POSITIVE_INFINITY;

/** The least scores of a document with these groups: as a hit, and as a fitting hit. */
interface Thresholds {
  readonly groups: number;
  readonly coverage: number;
  readonly hit: number;
  readonly fitting: number;
}

function findPartThresholds(groups: number, job: Job): Thresholds {
  const { model } = job.query;
  const coverage = job.coverageOf(groups);
  const least = job.leastShown(groups);
  const fitting = Math.max(least, job.leastFitting(groups));
  const close = coverage < 1 ? least : Math.min(least, job.required === 1 ? job.leastScore : 0);
  const isHopeless = coverage < (model === 'strict' ? 1 : CONFIDENCE_FLOOR);
  return { groups, coverage, hit: isHopeless ? NEVER : (job.looseScore ?? close), fitting };
}

/** Filters a document, and counts it for the facets. @returns its factor, 0 if it is excluded */
function applyPartFilters({ job, tally, others }: Task, doc: number): number {
  if (tally === undefined) return applyFilters(others, doc, 1);
  const combination = tally.of[doc]!;
  const by = tally.excludedBy[combination]! || tally.judge(doc);
  if (by === SEVERAL_FIELDS || (by !== NO_FIELD && job.facets === undefined)) return 0;
  if (others.length === 0) {
    tally.counts[combination]!++;
    return by === NO_FIELD ? tally.factors[combination]! : 0;
  }
  const filterFactor = applyFilters(others, doc, tally.factors[combination]!);
  if (filterFactor === 0) return 0;
  tally.counts[combination]!++;
  return by === NO_FIELD ? filterFactor : 0;
}

function applyFilters(others: readonly CompiledFilter[], doc: number, factor: number): number {
  let filterFactor = factor;
  for (const filter of others) {
    const verdict = filter.judge(doc);
    if (verdict === MEETS) continue;
    if (filter.strict) return 0;
    filterFactor *= filter.factors[verdict];
  }
  return filterFactor;
}
