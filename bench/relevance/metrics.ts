/** Measures of a ranked list against what is relevant. All are 0 to 1. Ranks count from 1. */

/** 1 / rank of the first relevant; 0 when none is there. */
export function reciprocalRank<T>(ranked: readonly T[], relevant: ReadonlySet<T>): number {
  const at = ranked.findIndex((item) => relevant.has(item));
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Relevant ones among the first `k`, of the most there could be: the smaller of `k` and all relevant ones. */
export function rPrecision<T>(ranked: readonly T[], relevant: ReadonlySet<T>, k: number): number {
  return countRelevant(ranked, relevant, k) / Math.min(k, relevant.size);
}

/** 1 when a relevant one is among the first `k`. */
export function success<T>(ranked: readonly T[], relevant: ReadonlySet<T>, k: number): number {
  return countRelevant(ranked, relevant, k) > 0 ? 1 : 0;
}

/** Mean of the precision at each relevant one; those that are not there count 0. */
export function averagePrecision<T>(ranked: readonly T[], relevant: ReadonlySet<T>): number {
  let found = 0;
  let sum = 0;
  for (const [i, item] of ranked.entries()) {
    if (!relevant.has(item)) continue;
    found++;
    sum += found / (i + 1);
  }
  return sum / relevant.size;
}

/** Discounted gain of the first `k` over that of the best order; gains are 2^grade - 1.
 *  Source: Järvelin & Kekäläinen 2002; the gains of Burges et al. 2005. */
export function normalizedGain<T>(ranked: readonly T[], grades: ReadonlyMap<T, number>, k: number): number {
  const ideal = discountedGain(
    [...grades.values()].sort((a, b) => b - a),
    k,
  );
  return ideal === 0
    ? 0
    : discountedGain(
        ranked.map((item) => grades.get(item) ?? 0),
        k,
      ) / ideal;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function countRelevant<T>(ranked: readonly T[], relevant: ReadonlySet<T>, k: number): number {
  return ranked.slice(0, k).filter((item) => relevant.has(item)).length;
}

function discountedGain(grades: readonly number[], k: number): number {
  return grades.slice(0, k).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);
}
