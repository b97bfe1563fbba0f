import { AppError } from '../../../errors.ts';
import type { TenantRecord } from '../../../ports/store/store.ts';
import type { Languages, Translate } from '../../words/i18n.ts';
import { type FormState, refusedForm } from '../forms/forms.ts';

export interface RefusedChangeOptions {
  readonly form: URLSearchParams;
  readonly t: Translate;
  readonly languages: Languages;
  /** The tenant as it is saved now. */
  readonly now: TenantRecord;
}

/** The form once more after a change was refused. Where someone else was quicker, what was typed stays and the form is of
 *  the version there is now: whoever reads that and saves again knows what they replace. Rethrows what is not about the form. */
export function refusedChange(error: unknown, { form, t, languages, now }: RefusedChangeOptions): FormState {
  const state = refusedForm(error, { form, t, languages });
  if (!(error instanceof AppError) || error.code !== 'CHANGED_MEANWHILE') return state;
  return {
    ...state,
    values: { ...state.values, version: String(now.version) },
    problems: { form: t('tenant.changedMeanwhile') },
  };
}
