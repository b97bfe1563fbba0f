/** What is still to come: the app answers at once, or some time later, and sometimes twice. The host is asked for a while. */

export interface Waiting {
  /** While the work runs. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Asks until nothing new is expected; for some seconds, the page shows that something is. */
  watch(isExpected: boolean): void;
  /** For what was asked before. */
  stop(): void;
}

const FIRST_ASK_MS = 350;
/** Most answers come soon, so it asks less and less often. */
const GROWTH = 1.4;
const MAX_ASK_MS = 2_000;
/** After the latest news. */
const QUIET_MS = 5_000;
const SHOWN_MS = 8_000;
const EXPECTED_MS = 25_000;

/** @param ask gives whether there was anything new
 *  @param show shows whether something is awaited */
export function createWaiting(ask: () => Promise<boolean>, show: (isWaiting: boolean) => void): Waiting {
  let running = 0;
  let isAwaited = false;
  let turn = 0;

  function draw(isNowAwaited: boolean): void {
    isAwaited = isNowAwaited;
    show(running > 0 || isAwaited);
  }

  async function askOn(mine: number, isExpected: boolean): Promise<void> {
    const begun = performance.now();
    let until = begun + (isExpected ? EXPECTED_MS : QUIET_MS);
    let pauseMs = FIRST_ASK_MS;
    while (performance.now() < until) {
      await new Promise((done) => setTimeout(done, pauseMs));
      pauseMs = Math.min(pauseMs * GROWTH, MAX_ASK_MS);
      if (mine !== turn) return;
      const isNew = await ask();
      if (mine !== turn) return;
      if (isNew) until = performance.now() + QUIET_MS;
      if (isNew || performance.now() - begun > SHOWN_MS) draw(false);
    }
  }

  return {
    async during(work) {
      running += 1;
      draw(isAwaited);
      try {
        return await work;
      } finally {
        running -= 1;
        draw(isAwaited);
      }
    },
    watch(isExpected) {
      turn += 1;
      draw(isExpected);
      void askOn(turn, isExpected);
    },
    stop() {
      turn += 1;
      draw(false);
    },
  };
}
