import { AppError } from '../../../errors.ts';
import { type InstallFailure, installFailed } from './oauth-state.ts';

/** Codes of Bolt's installer, by what they mean here. */
const reasons: Readonly<Record<string, InstallFailure>> = {
  slack_oauth_installer_authorization_error: 'cancelled',
  slack_oauth_invalid_state: 'state',
  slack_oauth_missing_state: 'state',
  slack_oauth_missing_code: 'code',
};

/** What Slack says of the exchange of a code. */
const refusals: Readonly<Record<string, InstallFailure>> = {
  invalid_code: 'state',
  code_already_used: 'state',
  bad_client_secret: 'credentials',
  invalid_client_id: 'credentials',
  bad_redirect_uri: 'redirect',
};

/** What Bolt's installer failed with, as an error of ours. */
export function explainFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, data } = (thrown ?? {}) as {
    readonly code?: string;
    readonly data?: { readonly error?: string };
  };
  // What Bolt has no name for did not come from Slack.
  if (code === undefined || code === 'slack_oauth_unknown_error')
    return new AppError('INTERNAL', 'An installation failed, see its cause.', { cause: thrown });
  const reason = refusals[data?.error ?? ''] ?? reasons[code] ?? 'slack';
  return installFailed(reason, thrown);
}
