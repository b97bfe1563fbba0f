import { AppError, type Problem } from '#errors';
import type { Languages, Translate } from '#faces/words/i18n';

/** The error in the reader's language where the catalogues have its code. */
export function describeError(error: AppError, t: Translate, languages: Languages): string {
  const { code, data, message, retryAfterSeconds: seconds = 0 } = error;
  const key = `errors.${code}`;
  return languages.has(key) ? t(key, { ...data, seconds, minutes: Math.ceil(seconds / 60) }) : message;
}

/** In the reader's language where the service gives a reason that the catalogues have. */
export function describeProblem(problem: Problem, t: Translate, languages: Languages): string {
  const key = 'reason' in problem ? `problems.${problem.reason}` : '';
  return languages.has(key) ? t(key) : problem.problem;
}

/** Why a service did not answer, in words for an administrator. */
export interface UpstreamFailure {
  readonly message: string;
  /** What the other side said; null where it said nothing. */
  readonly detail: string | null;
}

/** Rethrows errors that are not about the service. */
export function explainUpstreamError(error: unknown, t: Translate, languages: Languages): UpstreamFailure {
  if (!(error instanceof AppError) || isOurs(error, languages)) throw error;
  const { detail } = error.data;
  return { message: describeError(error, t, languages), detail: typeof detail === 'string' ? detail : null };
}

/** Errors of the host that the catalogues do not explain go to the error page and the log. */
function isOurs({ code, kind }: AppError, languages: Languages): boolean {
  if (code === 'TENANT_UNKNOWN') return true;
  return (kind === 'internal' || kind === 'unavailable') && !languages.has(`errors.${code}`);
}
