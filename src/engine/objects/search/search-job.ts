import type { Bitset } from '#engine/bitset';
import { measureTermIdf } from '#engine/text/term';
import type { TopK } from '#engine/top-k';
import type { FoundGroup } from '../query/interpret-query.ts';
import type { Group } from '../query/plan-query.ts';
import type { Source } from '../query/term-sources.ts';
import type { LiveSegment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import {
  FITTING_COVERAGE,
  FITTING_EVIDENCE,
  FITTING_PHRASE,
  LEAST_EVIDENCE,
  REQUEST_SHARE,
  SCORE_STEPS,
} from '../weights.ts';
import type { FacetCounts } from './facets.ts';
import type { CompiledFilter } from './filters.ts';
import type { SegmentMeaning } from './meaning.ts';

/** One search over all segments. */
export interface Job {
  readonly query: ObjectQuery;
  readonly truncated: boolean;
  /** The rarest first, so that the strict model can drop documents early. */
  readonly groups: readonly Group[];
  readonly found: readonly FoundGroup[];
  readonly idfs: readonly number[];
  /** How many groups name the subject; those after them only ask for learning. */
  readonly required: number;
  /** Language of the query; null where it is open, or a filter names one and none is preferred. */
  readonly lang: string | null;
  /** What has the only word with a lower score only mentions it. In the steps of scores. */
  readonly leastScore: number;
  readonly coverageOf: (groups: number) => number;
  /** Groups that count only together: bit g for group g. */
  readonly phrases: readonly number[];
  /** The score from which a document with these groups is shown, though it lacks some. */
  readonly leastShown: (groups: number) => number;
  /** The score from which a document with these groups fits, and is not only close. */
  readonly leastFitting: (groups: number) => number;
  /** What nearness in meaning is worth, in the steps of scores. */
  readonly meaningScore: number;
  readonly seed: number;
  readonly facets: FacetCounts | undefined;
  readonly top: TopK;
  total: number;
  fitting: number;
}

/** A segment with what this query needs of it. */
export interface Part {
  readonly live: LiveSegment;
  readonly filters: readonly CompiledFilter[];
  /** By group: where its words are. */
  readonly sources: readonly (readonly Source[])[];
  /** Documents in the query's language, where it speaks one and no filter names one. */
  readonly inLanguage?: Bitset;
  /** Absent where words alone decide. */
  readonly meaning?: SegmentMeaning;
  /** Ordinal of its first document in the whole index. */
  readonly base: number;
}

/** idf of each group. A word that no document has says nothing about them: it counts like the mean of the others, so that one
 *  such word beside a common one does not leave the query without any confident hit.
 *  @param required the groups from here on only ask for learning, and count less */
export function weighSearchJobGroups(
  frequencies: readonly number[],
  documents: number,
  required = frequencies.length,
): number[] {
  const known = frequencies.filter((frequency) => frequency > 0);
  const idfOf = (frequency: number) => measureTermIdf(documents, Math.min(documents, frequency));
  const mean = known.map(idfOf).reduce((sum, value) => sum + value, 0) / known.length;
  return frequencies.map((frequency, g) => {
    const value = frequency > 0 ? idfOf(frequency) : mean;
    return g < required ? value : value * REQUEST_SHARE;
  });
}

/** Worth of one step of impact, in whole steps, see SCORE_STEPS; at least one, so that no match is worth nothing. */
export function weighSource(idf: number, weight: number): number {
  return Math.max(1, Math.round(idf * weight * SCORE_STEPS));
}

/** Of up to this many groups what is told of each set of them is worked out beforehand. */
const MAX_TABLED_GROUPS = 8;

function tabulate(count: number, tellOf: (groups: number) => number): (groups: number) => number {
  if (count > MAX_TABLED_GROUPS) return tellOf;
  const table = Float64Array.from({ length: 2 ** count }, (_, groups) => tellOf(groups));
  return (groups) => table[groups]!;
}

/** Share of the query's idf mass that a set of found groups has: exactly 1 for all of them, 0 for none, also where none is asked for.
 *  @param required the groups from here on say that something is asked for, not what, and do not count
 *  @param phrases sets of groups that count only together */
export function createCoverage(
  idfs: readonly number[],
  {
    required = idfs.length,
    phrases = [],
  }: { readonly required?: number; readonly phrases?: readonly number[] } = {},
): (groups: number) => number {
  const all = 2 ** required - 1;
  const counted = idfs.slice(0, required);
  const sum = counted.reduce((total, value) => total + value, 0);
  const shareOf = (groups: number): number => {
    if (groups === 0) return 0;
    if ((groups & all) === all) return 1;
    // Some words of a phrase are something else: `gestion` or `temps` is not `gestion du temps`.
    const found = phrases.reduce(
      (left, phrase) => ((left & phrase) === phrase ? left : left & ~phrase),
      groups,
    );
    return counted.reduce((total, value, g) => ((found >>> g) & 1 ? total + value : total), 0) / sum;
  };
  return tabulate(idfs.length, shareOf);
}

/** Strictly, whatever is found. */
export const allFit: Pick<Job, 'leastShown' | 'leastFitting'> = {
  leastShown: () => 0,
  leastFitting: () => 0,
};

/** The scores from which documents are shown, and from which they fit.
 *  @param full score of a document that says all of the subject in its title
 *  @param count of groups
 *  @param phrases sets of groups that a taxonomy names together */
export function createFitting(
  full: number,
  {
    count,
    phrases,
    coverageOf,
  }: { readonly count: number; readonly phrases: readonly number[]; readonly coverageOf: Job['coverageOf'] },
): Pick<Job, 'leastShown' | 'leastFitting'> {
  const least = FITTING_EVIDENCE * full;
  const hasPhrase = (groups: number) => phrases.some((phrase) => (groups & phrase) === phrase);
  const leastShown = tabulate(count, (groups) =>
    hasPhrase(groups)
      ? Math.min(least, full * Math.max(LEAST_EVIDENCE, FITTING_PHRASE * coverageOf(groups)))
      : least,
  );
  const leastFitting = tabulate(count, (groups) =>
    coverageOf(groups) >= FITTING_COVERAGE || hasPhrase(groups)
      ? leastShown(groups)
      : Number.POSITIVE_INFINITY,
  );
  return { leastShown, leastFitting };
}
