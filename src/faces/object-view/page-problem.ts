import { AppError } from '#errors';
import type { Translate } from '../words/i18n.ts';
import { type ProblemText, translateImportProblem } from '../words/import-problems.ts';

export interface PageProblem {
  readonly problem: string;
  /** The full message; null if `problem` says everything. */
  readonly detail: ProblemText | null;
}

/** Describes why the page of a new object could not be read. Rethrows any other error. */
export function describePageProblem(error: unknown, t: Translate): PageProblem {
  if (!(error instanceof AppError)) throw error;
  const { code, data, message } = error;
  if (code === 'RATE_LIMITED') return { problem: t(`objects.reading.readBy.${data.readBy}`), detail: null };
  if (code !== 'IMPORT_INVALID' && code !== 'SOURCE_UNAVAILABLE') throw error;
  const { reason } = data;
  const problem =
    reason === undefined
      ? t(`objects.reading.${code}`)
      : t('objects.reading.failed', { reason: t(`brokenLinks.reasons.${reason}`) });
  return { problem, detail: translateImportProblem(message, t) };
}
