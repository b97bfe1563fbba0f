/** How many searches are being answered, in memory that the thread that builds an index can read. */
export interface SearchActivity {
  /** One 32-bit counter. */
  readonly memory: SharedArrayBuffer;
  begin(): void;
  end(): void;
}

export function createSearchActivity(): SearchActivity {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(memory);
  return {
    memory,
    begin() {
      Atomics.add(counter, 0, 1);
    },
    end() {
      if (Atomics.sub(counter, 0, 1) === 1) Atomics.notify(counter, 0);
    },
  };
}

/** Of this process: a version that is built gives way to the searches of all others. */
export const processSearches = createSearchActivity();

/** Longest wait at once. A search that waits for something else than this processor does not hold up the build. */
const LONGEST_WAIT_MS = 20;

/** Returns a function that a long computation calls every millisecond or so: it waits while a search is being answered. All waits
 *  together take at most as long as the work between them, so a build beside endless searches takes at most twice as long.
 *  A lower priority of the thread would do the same on a quiet machine, but lets it starve on a busy one. */
export function createSearchPause(
  memory: SharedArrayBuffer,
  now: () => number = () => performance.now(),
): () => void {
  const counter = new Int32Array(memory);
  const startMs = now();
  let waitedMs = 0;
  return function pauseForSearches() {
    const running = Atomics.load(counter, 0);
    if (running === 0) return;
    const beforeMs = now();
    const workedMs = beforeMs - startMs - waitedMs;
    const allowedMs = Math.min(LONGEST_WAIT_MS, workedMs - waitedMs);
    if (allowedMs <= 0) return;
    Atomics.wait(counter, 0, running, allowedMs);
    waitedMs += now() - beforeMs;
  };
}
