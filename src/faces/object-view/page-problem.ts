import { AppError } from '#errors';
import type { Translate } from '../words/i18n.ts';

export interface PageProblem {
  readonly problem: string;
  /** The same at more length, in English; null where there is no more to say. */
  readonly detail: string | null;
}

/** Why a page was not read that somebody wants to add. Rethrows what is not about that. */
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
  return { problem, detail: message };
}
