import { AppError } from '../../../errors.ts';
import type { LearningService } from '../../../ports/learning-service.ts';
import type { Languages, Translate } from '../../words/i18n.ts';
import { messageOf } from './forms.ts';

/** The service of a tenant, found when it is needed. */
export type FindLearning = () => Promise<LearningService>;

/** Why a service did not answer, in words for an administrator. */
export interface UpstreamFailure {
  readonly message: string;
  /** What the other side said; null where it said nothing. */
  readonly detail: string | null;
}

/** Rethrows what is not about the service. */
export function explainFailure(error: unknown, t: Translate, languages: Languages): UpstreamFailure {
  if (!(error instanceof AppError) || isOurs(error, languages)) throw error;
  const { detail } = error.data;
  return { message: messageOf(error, t, languages), detail: typeof detail === 'string' ? detail : null };
}

/** What the catalogues do not explain and the host is at fault for is for the error page and the log. */
function isOurs({ code, kind }: AppError, languages: Languages): boolean {
  if (code === 'TENANT_UNKNOWN') return true;
  return (kind === 'internal' || kind === 'unavailable') && !languages.has(`errors.${code}`);
}
