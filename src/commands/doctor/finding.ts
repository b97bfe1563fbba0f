import { AppError } from '#errors';

export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly result: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
}

export const ok = (name: string, result: string): Finding => ({ name, state: 'ok', result, advice: null });

/** Creates a finding of a host that runs, while a part fails or will fail. */
export function warning(name: string, result: string, advice: string): Finding {
  return { name, state: 'warning', result, advice };
}

/** Creates a finding of a host that does not start, or shows errors to people. */
export function fault(name: string, result: string, advice: string): Finding {
  return { name, state: 'fault', result, advice };
}

/** Turns an error whose message says what to do into a finding. Errors: all others, as they are. */
export function toFaultFinding(name: string, error: unknown): Finding {
  if (!(error instanceof AppError)) throw error;
  const [problem, ...moreProblems] = error.problems;
  const example = problem === undefined ? '' : ` (${problem.path}: ${problem.problem})`;
  const problemCount = moreProblems.length === 0 ? '' : ` and ${moreProblems.length} more`;
  return { name, state: 'fault', result: `${error.message}${example}${problemCount}`, advice: null };
}
