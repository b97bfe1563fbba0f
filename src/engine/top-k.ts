export type TopK = ReturnType<typeof createTopK>;

/** A binary heap whose first entry is the worst. Its arrays are plain: most searches want ten
 *  entries, and V8 allocates typed arrays of that size outside its heap, which takes longer. */
interface Heap {
  readonly ranks: number[];
  readonly ties: number[];
  readonly items: number[];
  size: number;
}

/** Keeps the best `capacity` items by rank (higher first), then by tie (lower first), then by item.
 *  Once the heap is full, most offers cost one comparison. */
export function createTopK(capacity: number) {
  const heap: Heap = { ranks: [], ties: [], items: [], size: 0 };
  const { ranks, ties, items } = heap;
  return {
    /** The rank below which items are rejected. It rises as items are offered. */
    get floor() {
      return heap.size < capacity ? Number.NEGATIVE_INFINITY : ranks[0]!;
    },
    offer(rank: number, tie: number, item: number): void {
      if (heap.size < capacity) {
        addTopEntry(heap, rank, tie, item);
        return;
      }
      const worst = ranks[0]!;
      if (rank < worst) return;
      if (rank === worst && (tie > ties[0]! || (tie === ties[0]! && item > items[0]!))) return;
      setTopEntry(heap, 0, rank, tie, item);
      sinkTopEntry(heap, 0, heap.size);
    },
    /** Returns the items, best first; to be called once, at the end. */
    finish(): { items: Uint32Array; ranks: Float64Array } {
      for (let end = heap.size - 1; end > 0; end--) {
        swapTopEntries(heap, 0, end);
        sinkTopEntry(heap, 0, end);
      }
      // Not `from`, which takes five times as long.
      return { items: new Uint32Array(items), ranks: new Float64Array(ranks) };
    },
  };
}

function addTopEntry(heap: Heap, rank: number, tie: number, item: number): void {
  setTopEntry(heap, heap.size, rank, tie, item);
  for (let child = heap.size++; child > 0; ) {
    const parent = (child - 1) >>> 1;
    if (!isWorseTopEntry(heap, child, parent)) return;
    swapTopEntries(heap, child, parent);
    child = parent;
  }
}

/** Moves an entry down until both of its children are better. */
function sinkTopEntry(heap: Heap, from: number, end: number): void {
  let parent = from;
  for (;;) {
    let worst = parent;
    const leftChild = 2 * parent + 1;
    if (leftChild < end && isWorseTopEntry(heap, leftChild, worst)) worst = leftChild;
    if (leftChild + 1 < end && isWorseTopEntry(heap, leftChild + 1, worst)) worst = leftChild + 1;
    if (worst === parent) return;
    swapTopEntries(heap, parent, worst);
    parent = worst;
  }
}

function isWorseTopEntry({ ranks, ties, items }: Heap, a: number, b: number): boolean {
  if (ranks[a]! !== ranks[b]!) return ranks[a]! < ranks[b]!;
  return ties[a]! !== ties[b]! ? ties[a]! > ties[b]! : items[a]! > items[b]!;
}

function swapTopEntries(heap: Heap, a: number, b: number): void {
  const { ranks, ties, items } = heap;
  const [rank, tie, item] = [ranks[a]!, ties[a]!, items[a]!];
  setTopEntry(heap, a, ranks[b]!, ties[b]!, items[b]!);
  setTopEntry(heap, b, rank, tie, item);
}

function setTopEntry({ ranks, ties, items }: Heap, at: number, rank: number, tie: number, item: number): void {
  ranks[at] = rank;
  ties[at] = tie;
  items[at] = item;
}
