/** A generator that whoever stops reading stops at once, even while it works on the next item; by itself it would first
 *  finish that. Reading it begins it. Errors: those of the generator, which gets a signal to end by and is to reject then. */
export function stoppable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  outer?: AbortSignal,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const items = start(outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal]));
      const end = { done: true as const, value: undefined };
      return {
        next: () =>
          items.next().catch((error: unknown) => {
            if (stop.signal.aborted) return end;
            throw error;
          }),
        async return() {
          stop.abort();
          await items.return();
          return end;
        },
      };
    },
  };
}
