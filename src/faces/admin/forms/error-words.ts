import { AppError, type Problem } from '#errors';
import type { Languages, Translate } from '#faces/words/i18n';
import { translateImportProblem } from '#faces/words/import-problems';

/** Describes an error in the reader's language, if the catalogues have its code. */
export function describeError(error: AppError, t: Translate, languages: Languages): string {
  const { code, data, message, retryAfterSeconds: seconds = 0 } = error;
  const key = `errors.${code}`;
  if (languages.has(key)) return t(key, { ...data, seconds, minutes: Math.ceil(seconds / 60) });
  return translateImportProblem(message, t).text;
}

/** Describes the reason of an error in the reader's language, if the catalogues have it. */
export function describeProblem(problem: Problem, t: Translate, languages: Languages): string {
  const key = 'reason' in problem ? `problems.${problem.reason}` : '';
  return languages.has(key) ? t(key) : problem.problem;
}

/** The reason why a service did not answer, in words for an administrator. */
export interface UpstreamFailure {
  readonly message: string;
  /** The message of the service; null without one. */
  readonly detail: string | null;
}

/** Explains an error of the service. Rethrows any other error. */
export function explainUpstreamError(error: unknown, t: Translate, languages: Languages): UpstreamFailure {
  if (!(error instanceof AppError) || isOurs(error, languages)) throw error;
  const { detail } = error.data;
  return { message: describeError(error, t, languages), detail: typeof detail === 'string' ? detail : null };
}

/** Whether an error is about the host and belongs on the error page and in the log. */
function isOurs({ code, kind }: AppError, languages: Languages): boolean {
  if (code === 'TENANT_UNKNOWN') return true;
  return (kind === 'internal' || kind === 'unavailable') && !languages.has(`errors.${code}`);
}
