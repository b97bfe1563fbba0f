import { AppError, isPassing } from '../../errors.ts';

/** Runs the calls of one search, and passes on what they give. */
export type WatchCall = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Tells of all that failed through no fault of what was asked once, when the last call under way has ended: where a whole
 *  service fails, each of its providers does. What was given up has not failed. */
export function createFailureReport(onProblem: (error: unknown) => void): WatchCall {
  let underWay = 0;
  let failures: unknown[] = [];

  function end(): void {
    underWay--;
    if (underWay > 0 || failures.length === 0) return;
    const told = failures;
    failures = [];
    onProblem(toProblem(told));
  }

  return async (call, signal) => {
    underWay++;
    try {
      return await call();
    } catch (error) {
      if (signal?.aborted !== true && isProblem(error)) failures.push(error);
      throw error;
    } finally {
      end();
    }
  };
}

function isProblem(error: unknown): boolean {
  return isPassing(error) || !(error instanceof AppError);
}

function toProblem(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (failures.length === 1) return first;
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(codeOf(failure), (counts.get(codeOf(failure)) ?? 0) + 1);
  const list = Array.from(counts, ([code, count]) => `${code} ${count} times`).join(', ');
  return new AppError(
    codeOf(first),
    `${failures.length} calls for providers failed in one search: ${list}. The cause is the first of them.`,
    { cause: first },
  );
}

function codeOf(error: unknown) {
  return error instanceof AppError ? error.code : 'INTERNAL';
}
