import { AppError } from '../../src/errors.ts';

/** What is wrong with a request, by name; empty where it is accepted. */
export function problemsOf(parse: () => unknown): Record<string, string> {
  try {
    parse();
    return {};
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PARAMETERS_INVALID') throw error;
    return Object.fromEntries(error.problems.map(({ path, problem }) => [path, problem]));
  }
}

/** Where an answer breaks the specification; the message names it as well. */
export function pathOfProblem(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RESPONSE_INVALID') throw error;
    const [{ path } = { path: '' }] = error.problems;
    if (!error.message.includes(path)) throw new Error(`the message does not name ${path}`);
    return path;
  }
  throw new Error('the answer was accepted');
}
