import { AppError } from '#errors';

export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly result: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
}

export const ok = (name: string, result: string): Finding => ({ name, state: 'ok', result, advice: null });

/** The host runs, but a part fails or will fail. */
export const warning = (name: string, result: string, advice: string): Finding => ({
  name,
  state: 'warning',
  result,
  advice,
});

/** The host does not start, or people see errors. */
export const fault = (name: string, result: string, advice: string): Finding => ({
  name,
  state: 'fault',
  result,
  advice,
});

/** The message of the error says what to do. */
export function toFaultFinding(name: string, error: unknown): Finding {
  if (!(error instanceof AppError)) throw error;
  const [first, ...others] = error.problems;
  const example = first === undefined ? '' : ` (${first.path}: ${first.problem})`;
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return { name, state: 'fault', result: `${error.message}${example}${rest}`, advice: null };
}
