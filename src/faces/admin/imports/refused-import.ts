import { AppError } from '../../../errors.ts';
import { type FormState, refusedForm } from '../forms/forms.ts';

/** The form once more, with what was wrong with the source. That an address does not answer is a matter of the form, too. */
export function refusedImport(error: unknown, options: Parameters<typeof refusedForm>[1]): FormState {
  const isOfAddress = error instanceof AppError && error.code === 'SOURCE_UNAVAILABLE';
  const refused = isOfAddress ? new AppError('IMPORT_INVALID', error.message, { cause: error }) : error;
  const fieldOf = isOfAddress ? { IMPORT_INVALID: 'address' } : {};
  return refusedForm(refused, { ...options, fieldOf });
}
