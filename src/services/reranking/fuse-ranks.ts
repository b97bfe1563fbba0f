/** How little the very first places count for more than those after them; the usual value. */
const RANK_OFFSET = 60;

/** A new order of what is in an order already, as its indexes: each counts by its place in the old order and by its place
 *  in order of likeness. Where both say as much, likeness decides, and then the old order.
 *  @param likeness of each, in the old order; more is better
 *  Source: reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009. */
export function fuseRanks(likeness: ArrayLike<number>): readonly number[] {
  const indexes = Array.from({ length: likeness.length }, (_, index) => index);
  const byLikeness = indexes.toSorted((a, b) => likeness[b]! - likeness[a]! || a - b);
  const scores = new Float64Array(likeness.length);
  byLikeness.forEach((index, place) => {
    scores[index] = 1 / (RANK_OFFSET + 1 + index) + 1 / (RANK_OFFSET + 1 + place);
  });
  return byLikeness.toSorted((a, b) => scores[b]! - scores[a]!);
}
