import { AppError, type ErrorCode } from '#errors';

const codes: Readonly<Record<string, SlackErrorCode>> = {
  expired_trigger_id: 'SLACK_TRIGGER_EXPIRED',
  invalid_trigger_id: 'SLACK_TRIGGER_EXPIRED',
  exchanged_trigger_id: 'SLACK_TRIGGER_EXPIRED',
  trigger_expired: 'SLACK_TRIGGER_EXPIRED',
  trigger_exchanged: 'SLACK_TRIGGER_EXPIRED',
  used_url: 'SLACK_RESPONSE_EXPIRED',
  expired_url: 'SLACK_RESPONSE_EXPIRED',
  not_in_channel: 'SLACK_NOT_IN_CHANNEL',
  channel_not_found: 'SLACK_NOT_IN_CHANNEL',
  is_archived: 'SLACK_NOT_IN_CHANNEL',
  restricted_action: 'SLACK_NOT_IN_CHANNEL',
  user_not_in_channel: 'SLACK_NOT_IN_CHANNEL',
  invalid_auth: 'SLACK_NOT_INSTALLED',
  not_authed: 'SLACK_NOT_INSTALLED',
  account_inactive: 'SLACK_NOT_INSTALLED',
  token_revoked: 'SLACK_NOT_INSTALLED',
  token_expired: 'SLACK_NOT_INSTALLED',
};

const messages = {
  SLACK_TRIGGER_EXPIRED: 'Slack opens a window within three seconds after a click only. Click again.',
  SLACK_RESPONSE_EXPIRED: 'Slack takes no more answers to this request. Ask again.',
  SLACK_NOT_IN_CHANNEL: 'The app may not post into this conversation. Add it there, or choose another one.',
  SLACK_NOT_INSTALLED: 'The app is not installed in this workspace (any more). Install it again.',
  SLACK_OFF:
    'Slack is not set up on this host. Set SLACK_SIGNING_SECRET, SLACK_CLIENT_ID and SLACK_CLIENT_SECRET, or enter them on the admin page.',
} as const satisfies Partial<Record<ErrorCode, string>>;

type SlackErrorCode = keyof typeof messages;

/** @example createSlackError('SLACK_OFF') */
export const createSlackError = (code: SlackErrorCode): AppError => new AppError(code, messages[code]);

/** An error that Slack answered, by its name there; SLACK_FAILED for those not listed above. */
export function createSlackRefusalError(slackError: string, cause?: unknown): AppError {
  const code = codes[slackError];
  const message = code === undefined ? `Slack refused a call: ${slackError}.` : messages[code];
  return new AppError(code ?? 'SLACK_FAILED', message, { cause, data: { slackError } });
}

/** Slack answered nothing that can be used. */
export const createSlackFailedError = (cause: unknown): AppError =>
  new AppError('SLACK_FAILED', 'Slack did not answer as it should. Try again.', { cause });

export function createSlackThrottledError(retryAfterSeconds: number, cause?: unknown): AppError {
  const message = `Slack takes no more calls for ${retryAfterSeconds} s. Wait, and try again.`;
  return new AppError('SLACK_THROTTLED', message, { cause, retryAfterSeconds });
}
