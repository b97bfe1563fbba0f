import { linkSignal } from './linked-signal.ts';

/** A generator that whoever stops reading stops at once, even while it works on the next item; by itself it would first
 *  finish that. Reading it begins it. Errors: those of the generator, which gets a signal to end by and is to reject then. */
export function stoppable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  outer?: AbortSignal,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const { signal, abort, unlink } = linkSignal(outer);
      const items = start(signal);
      const end = { done: true as const, value: undefined };
      let isStopped = false;
      return {
        async next() {
          try {
            const item = await items.next();
            if (item.done === true) unlink();
            return item;
          } catch (error) {
            unlink();
            if (isStopped) return end;
            throw error;
          }
        },
        async return() {
          isStopped = true;
          unlink();
          abort();
          await items.return();
          return end;
        },
      };
    },
  };
}
