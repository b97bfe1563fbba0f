/** The best `capacity` of what is offered, by rank (higher first) and then by tie (lower first). A binary min-heap:
 *  once full, offering mostly costs one comparison. */
export interface TopK {
  offer(rank: number, tie: number, item: number): void;
  /** What is below this rank is not kept; it rises while items are offered. */
  readonly floor: number;
  /** Items best first. */
  finish(): { items: Uint32Array; ranks: Float64Array };
}

export function createTopK(capacity: number): TopK {
  // Plain arrays: most searches want ten, and typed arrays of more than eight are made outside the heap.
  const ranks: number[] = [];
  const ties: number[] = [];
  const items: number[] = [];
  let size = 0;

  const isWorse = (a: number, b: number): boolean => {
    if (ranks[a]! !== ranks[b]!) return ranks[a]! < ranks[b]!;
    return ties[a]! !== ties[b]! ? ties[a]! > ties[b]! : items[a]! > items[b]!;
  };
  const swap = (a: number, b: number): void => {
    const rank = ranks[a]!;
    const tie = ties[a]!;
    const item = items[a]!;
    ranks[a] = ranks[b]!;
    ties[a] = ties[b]!;
    items[a] = items[b]!;
    ranks[b] = rank;
    ties[b] = tie;
    items[b] = item;
  };
  const sink = (from: number, end: number): void => {
    let parent = from;
    for (;;) {
      let worst = parent;
      const left = 2 * parent + 1;
      if (left < end && isWorse(left, worst)) worst = left;
      if (left + 1 < end && isWorse(left + 1, worst)) worst = left + 1;
      if (worst === parent) return;
      swap(parent, worst);
      parent = worst;
    }
  };
  const place = (at: number, rank: number, tie: number, item: number): void => {
    ranks[at] = rank;
    ties[at] = tie;
    items[at] = item;
  };

  return {
    get floor() {
      return size < capacity ? Number.NEGATIVE_INFINITY : ranks[0]!;
    },
    offer(rank, tie, item) {
      if (size < capacity) {
        place(size, rank, tie, item);
        for (let child = size++; child > 0; ) {
          const parent = (child - 1) >>> 1;
          if (!isWorse(child, parent)) return;
          swap(child, parent);
          child = parent;
        }
        return;
      }
      const worstRank = ranks[0]!;
      if (
        rank < worstRank ||
        (rank === worstRank && (tie > ties[0]! || (tie === ties[0]! && item > items[0]!)))
      )
        return;
      place(0, rank, tie, item);
      sink(0, size);
    },
    finish() {
      for (let end = size - 1; end > 0; end--) {
        swap(0, end);
        sink(0, end);
      }
      return { items: Uint32Array.from(items), ranks: Float64Array.from(ranks) };
    },
  };
}
