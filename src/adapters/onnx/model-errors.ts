import { AppError } from '../../errors.ts';

export const BY_WORDS = 'Searches go by words alone.';

export function createUnavailableError(problem: AppError | null): AppError {
  if (problem !== null)
    return new AppError('MODEL_UNAVAILABLE', `${problem.message} ${BY_WORDS}`, { cause: problem });
  return new AppError(
    'MODEL_UNAVAILABLE',
    `There is no model, or it is still being loaded. ${BY_WORDS} skilldock model install installs one.`,
  );
}

export function createFolderError(folder: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError(
    'MODEL_UNAVAILABLE',
    `The folder of models ${folder} cannot be read (${why}). The host looks again by itself; see that it may read there.`,
    { cause },
  );
}

export function createOverloadError(): AppError {
  return new AppError(
    'MODEL_UNAVAILABLE',
    `More texts wait for the model than it can take. ${BY_WORDS} Ask again later, or with fewer texts.`,
  );
}

export function createLateError(deadlineMs: number): AppError {
  return new AppError(
    'MODEL_UNAVAILABLE',
    `The model did not answer within ${deadlineMs} ms: it has much to do, or this machine is busy. ${BY_WORDS}`,
  );
}

export function createMissingError(name: string): AppError {
  return new AppError(
    'MODEL_UNKNOWN',
    `No model ${name} is installed. skilldock model list shows those that are.`,
  );
}

export function createNoneError(): AppError {
  return new AppError('MODEL_UNKNOWN', 'No model is installed. skilldock model install installs one.');
}
