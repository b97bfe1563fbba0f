import { AppError, type Problem } from '#errors';

/** What a method answers when it does not do what was asked. */
export interface CallRefusal {
  /** Slack's word: `not_in_channel`. */
  readonly error: string;
  readonly messages: readonly string[];
}

/** Ends a call with one of Slack's errors. */
export function refuseCall(error: string, problems: readonly Problem[] = []): never {
  throw new AppError('PARAMETERS_INVALID', `Slack: ${error}`, { problems, data: { slackError: error } });
}

/** Null where something else went wrong. */
export function readRefusal(thrown: unknown): CallRefusal | null {
  if (!(thrown instanceof AppError) || typeof thrown.data.slackError !== 'string') return null;
  return { error: thrown.data.slackError, messages: thrown.problems.map(describe) };
}

export const describe = ({ path, problem }: Problem): string => `${path || 'it'}: ${problem}`;

/** Ends an act in Slack's client that is not possible. */
export function refuseAct(reason: string): never {
  throw new AppError('PARAMETERS_INVALID', reason);
}
