import { AppError, type ErrorCode } from '../../../errors.ts';
import { httpStatusOf } from '../../http-status.ts';
import { type LtiReply, page } from '../route.ts';

/** Errors of services that a registration may end with, as keys below `register.failures`. */
const reasons: Partial<Record<ErrorCode, string>> = {
  LINK_INVALID: 'link',
  REGISTRATION_TAKEN: 'taken',
  REGISTRATIONS_FULL: 'full',
  TENANT_UNKNOWN: 'tenant',
  TENANT_DISABLED: 'tenant',
};

/** What went wrong, why, and what to do. Rethrows what is no matter of the registration. */
export function failurePage(error: unknown, styles: readonly string[]): LtiReply {
  if (!(error instanceof AppError)) throw error;
  const reason = error.code === 'REGISTRATION_FAILED' ? String(error.data.reason) : reasons[error.code];
  if (reason === undefined) throw error;
  const { host = '', status = '', detail = '' } = error.data;
  const model = { reason, host, httpStatus: status, detail, styles };
  return page('register-failed', model, { status: httpStatusOf(error) });
}
