import type { Bitset } from '#engine/bitset';
import { measureIdf } from '#engine/text/term';
import type { TopK } from '#engine/top-k';
import type { GroupMatches } from '../query/interpret-query.ts';
import type { Group } from '../query/plan-query.ts';
import type { Source } from '../query/term-sources.ts';
import type { LiveSegment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import * as weights from '../weights.ts';
import type { FacetCounts } from './facets.ts';
import type { CompiledFilter } from './filters.ts';
import type { SegmentMeaning } from './meaning.ts';

/** One search over all segments. Sets of groups are numbers with bit g for group g. */
export interface Job {
  readonly query: ObjectQuery;
  readonly truncated: boolean;
  /** The rarest first, so that the strict model drops documents early. */
  readonly groups: readonly Group[];
  readonly matches: readonly GroupMatches[];
  readonly idfs: readonly number[];
  /** Number of leading groups that name the subject; the others are not required. */
  readonly required: number;
  /** Language of the query; null if it is unclear, or given by a filter without preference. */
  readonly lang: string | null;
  readonly isLarge: boolean;
  /** With a lower score, a document only mentions the single word of the query. */
  readonly leastScore: number;
  /** Absent if documents that share little with the keywords are not hits. */
  readonly looseScore?: number;
  readonly coverageOf: (groups: number) => number;
  /** Sets of groups that a taxonomy names together; they cover only as a whole. */
  readonly phrases: readonly number[];
  /** The least score of a hit that has only these groups. */
  readonly leastShown: (groups: number) => number;
  /** The least score of a fitting hit with these groups; lower ones are only close. */
  readonly leastFitting: (groups: number) => number;
  readonly meaningScore: number;
  readonly seed: number;
  readonly facets: FacetCounts | undefined;
  readonly top: TopK;
  total: number;
  fitting: number;
}

export interface Part {
  readonly live: LiveSegment;
  readonly filters: readonly CompiledFilter[];
  /** The sources of each group. */
  readonly sources: readonly (readonly Source[])[];
  /** Absent if the query has no language, or a filter names languages. */
  readonly inLanguage?: Bitset;
  /** Absent if only words count. */
  readonly meaning?: SegmentMeaning;
  /** Ordinal of its first document in the whole index. */
  readonly base: number;
}

/** Weighs each group by its idf. A word that no document has gets the mean of the others:
 *  otherwise, beside a common word, it would leave the query without hits.
 *  @param shares by group, the share of its idf that counts: 1 for a word of the subject */
export function weighJobGroups(
  frequencies: readonly number[],
  documents: number,
  shares: readonly number[] = frequencies.map(() => 1),
): number[] {
  const positive = frequencies.filter((frequency, g) => frequency > 0 && shares[g] !== weights.CONTEXT_SHARE);
  const idfOf = (frequency: number) => measureIdf(documents, Math.min(documents, frequency));
  const mean = positive.map(idfOf).reduce((sum, value) => sum + value, 0) / positive.length;
  const most = Math.max(...positive.map(idfOf));
  return frequencies.map((frequency, g) => {
    const value = frequency > 0 ? idfOf(frequency) : mean;
    return shares[g] === weights.CONTEXT_SHARE ? Math.min(value, most) * weights.CONTEXT_SHARE : value * shares[g]!;
  });
}

/** Returns the score of one step of impact, an integer of at least 1 (see SCORE_STEPS). */
export const weighJobSource = (idf: number, weight: number): number =>
  Math.max(1, Math.round(idf * weight * weights.SCORE_STEPS));

/** Up to this many groups, a function of sets of groups is tabulated. */
const MAX_TABULATED_GROUPS = 8;

function tabulateJobGroups(count: number, compute: (groups: number) => number): (groups: number) => number {
  if (count > MAX_TABULATED_GROUPS) return compute;
  const table = Float64Array.from({ length: 2 ** count }, (_, groups) => compute(groups));
  return (groups) => table[groups]!;
}

/** Creates a function that returns the share of the query's idf mass that a set of groups has: 1
 *  for all groups, 0 for none.
 *  @param required number of leading groups that name the subject; the others do not count
 *  @param phrases sets of groups that count only together */
export function createJobCoverage(
  idfs: readonly number[],
  { required = idfs.length, phrases = [] }: { readonly required?: number; readonly phrases?: readonly number[] } = {},
): (groups: number) => number {
  const all = 2 ** required - 1;
  const counted = idfs.slice(0, required);
  const sum = counted.reduce((total, value) => total + value, 0);
  const shareOf = (groups: number): number => {
    if (groups === 0) return 0;
    if ((groups & all) === all) return 1;
    // A part of a phrase is another subject: `gestion` or `temps` is not `gestion du temps`.
    const whole = phrases.reduce(
      (remaining, phrase) => ((remaining & phrase) === phrase ? remaining : remaining & ~phrase),
      groups,
    );
    return counted.reduce((total, value, g) => ((whole >>> g) & 1 ? total + value : total), 0) / sum;
  };
  return tabulateJobGroups(idfs.length, shareOf);
}

/** In the strict model, every match fits. */
export const strictThresholds: Pick<Job, 'leastShown' | 'leastFitting'> = {
  leastShown: () => 0,
  leastFitting: () => 0,
};

/** Creates functions that return the least scores of hits in the extended model.
 *  @param full the score of a document with all words of the subject in its title
 *  @param phrases sets of groups that a taxonomy names together */
export function createJobThresholds(
  full: number,
  {
    count,
    phrases,
    coverageOf,
  }: { readonly count: number; readonly phrases: readonly number[]; readonly coverageOf: Job['coverageOf'] },
): Pick<Job, 'leastShown' | 'leastFitting'> {
  const least = weights.FITTING_EVIDENCE * full;
  const hasPhrase = (groups: number) => phrases.some((phrase) => (groups & phrase) === phrase);
  const leastShown = tabulateJobGroups(count, (groups) =>
    hasPhrase(groups)
      ? Math.min(least, full * Math.max(weights.MIN_EVIDENCE, weights.FITTING_PHRASE * coverageOf(groups)))
      : least,
  );
  const leastFitting = tabulateJobGroups(count, (groups) =>
    coverageOf(groups) >= weights.FITTING_COVERAGE || hasPhrase(groups) ? leastShown(groups) : Number.POSITIVE_INFINITY,
  );
  return { leastShown, leastFitting };
}
