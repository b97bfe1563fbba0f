import { AppError, type Problem } from '../../errors.ts';

/** Why a field is refused, for faces that say it in another language. */
export type FormReason =
  | 'name-empty'
  | 'name-too-long'
  | 'name-unprintable'
  | 'password-too-short'
  | 'password-too-long'
  | 'password-easy'
  | 'tenants-missing'
  | 'tenant-gone';

export interface FormProblem extends Problem {
  readonly path: 'name' | 'password' | 'tenants';
  readonly reason: FormReason;
}

/** Errors: FORM_INVALID with these problems, when there are any. */
export function refuseProblems(problems: readonly FormProblem[]): void {
  if (problems.length === 0) return;
  throw new AppError('FORM_INVALID', 'Nothing was changed: correct what is marked, and send it again.', {
    problems,
  });
}
