import { AppError } from '#errors';

/** The errors of OAuth 2.1, RFC 7591, RFC 8707 and RFC 9207 that are used here. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

/** The error for a refused request of an assistant, with its OAuth name in `data.error`. */
export function refuseAssistant(error: OAuthError, message: string, cause?: unknown): AppError {
  return new AppError('ASSISTANT_REFUSED', message, { data: { error }, cause });
}

export function refuseDisabled(): AppError {
  return new AppError(
    'ASSISTANTS_OFF',
    'Assistants are turned off for this institution. Its administrators can turn them on on the admin page.',
  );
}
