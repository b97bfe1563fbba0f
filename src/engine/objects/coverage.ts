import { idf } from '../query-words.ts';

/** Up to this many groups the share of each set of them is worked out beforehand. */
const MAX_TABLED_GROUPS = 8;

/** idf of each group. A word that is nowhere says nothing about the documents: it counts like the mean of the others, so
 *  that one such word beside a common one does not leave the query without any confident hit. */
export function idfsOf(frequencies: readonly number[], documents: number): number[] {
  const known = frequencies.filter((frequency) => frequency > 0);
  const idfOf = (frequency: number) => idf(documents, Math.min(documents, frequency));
  const mean = known.map(idfOf).reduce((sum, value) => sum + value, 0) / known.length;
  return frequencies.map((frequency) => (frequency > 0 ? idfOf(frequency) : mean));
}

/** Share of the query's idf mass that a set of found groups has; exactly 1 for all of them. */
export function createCoverage(idfs: readonly number[]): (groups: number) => number {
  const all = 2 ** idfs.length - 1;
  const sum = idfs.reduce((total, value) => total + value, 0);
  const shareOf = (groups: number): number => {
    if (groups === all) return 1;
    return idfs.reduce((found, value, g) => ((groups >>> g) & 1 ? found + value : found), 0) / sum;
  };
  if (idfs.length > MAX_TABLED_GROUPS) return shareOf;
  const table = Float64Array.from({ length: all + 1 }, (_, groups) => shareOf(groups));
  return (groups) => table[groups]!;
}
