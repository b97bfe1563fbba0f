import { AppError } from '#errors';

/** Why an installation failed; each has words of its own below `slack.install.failures`. */
type InstallFailure =
  /** Somebody pressed “Cancel”. */
  | 'cancelled'
  /** It was begun in another browser, too long ago, or is finished already. */
  | 'state'
  /** Slack did not come back with what it should, or refused what it gave before. */
  | 'code'
  /** Client id or secret are wrong. */
  | 'credentials'
  /** The app's page at Slack does not name our address. */
  | 'redirect'
  /** Tokens of the app would end after some hours. */
  | 'rotation'
  /** Nothing else is known. */
  | 'slack';

export function createInstallError(reason: InstallFailure, cause?: unknown): AppError {
  return new AppError(
    'SLACK_INSTALL_FAILED',
    `The app could not be installed (${reason}). Begin again, in one browser and within ten minutes.`,
    { cause, data: { reason } },
  );
}

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
export function explainInstallFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, data } = (thrown ?? {}) as {
    readonly code?: string;
    readonly data?: { readonly error?: string };
  };
  // What Bolt has no name for did not come from Slack.
  if (code === undefined || code === 'slack_oauth_unknown_error')
    return new AppError('INTERNAL', 'An installation failed, see its cause.', { cause: thrown });
  const reason = refusals[data?.error ?? ''] ?? reasons[code] ?? 'slack';
  return createInstallError(reason, thrown);
}
