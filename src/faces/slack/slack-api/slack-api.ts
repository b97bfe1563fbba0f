import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { AppError, type ErrorCode } from '#errors';
import type { SlackWorkspaces } from '#ports/slack-workspaces';
import type { SlackFaceDeps } from '../deps.ts';
import { loadBolt, makeBoltClientOptions, type WebClient } from './bolt.ts';

/** Errors: SLACK_THROTTLED, SLACK_FAILED, and those of `createSlackRefusalError`. */
export type CallSlack = (
  method: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

export type SlackApi = ReturnType<typeof createSlackApi>;
const MAX_CLIENTS = 500;
/** The longest that a call waits because Slack holds it back. */
const MAX_WAIT_MS = 20_000;
/** The same for calls that open a window within 3 s: the answer can go elsewhere instead. */
const WINDOW_WAIT_MS = 1_200;

/** Calls Slack's methods. Each workspace has its client: one that is held back delays no other. */
export function createSlackApi(apiUrl: string, onProblem: (error: unknown) => void) {
  const clients = new LRUCache<string, WebClient>({ max: MAX_CLIENTS });
  const pauses = new LRUCache<string, Pause>(limitEntries(MAX_PAUSES));

  /** @param key a method and a workspace */
  function pauseOf(key: string): Pause {
    const pause = pauses.get(key) ?? createPause();
    pauses.set(key, pause);
    return pause;
  }

  async function clientOf(token: string | null): Promise<WebClient> {
    const cached = clients.get(token ?? '');
    if (cached !== undefined) return cached;
    const { webApi } = await loadBolt();
    const client = new webApi.WebClient(token ?? undefined, makeBoltClientOptions(apiUrl, onProblem));
    clients.set(token ?? '', client);
    return client;
  }

  return {
    as:
      (token: string | null): CallSlack =>
      async (method, args) => {
        const client = await clientOf(token);
        const call = () => client.apiCall(method, args) as Promise<object> as ReturnType<CallSlack>;
        const maxWaitMs = 'trigger_id' in args ? WINDOW_WAIT_MS : MAX_WAIT_MS;
        return callPatiently(call, { pause: pauseOf(`${method} ${token ?? ''}`), maxWaitMs });
      },
  };
}

/** Makes a call, and once more after the wait that Slack asks for, which calls share by `pause`. */
export async function callPatiently<T>(
  call: () => Promise<T>,
  { pause = createPause(), maxWaitMs = MAX_WAIT_MS }: { readonly pause?: Pause; readonly maxWaitMs?: number } = {},
): Promise<T> {
  const latestMs = performance.now() + maxWaitMs;
  const callInTurn = async () => {
    await waitForTurn(pause, latestMs);
    return call().catch((thrown: unknown) => {
      const failure = toFailure(thrown);
      const untilMs = performance.now() + (failure.retryAfterSeconds ?? 1) * 1_000;
      // What waits already waits longer.
      if (failure.code === 'SLACK_THROTTLED') pause.untilMs = Math.max(pause.untilMs, untilMs);
      throw failure;
    });
  };
  return callInTurn().catch((failure: AppError) => {
    if (failure.code !== 'SLACK_THROTTLED') throw failure;
    return callInTurn();
  });
}

/** Reads what the client throws by its shape: its classes come with Bolt, which is loaded late. */
function toFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { retryAfter, data } = (thrown ?? {}) as {
    readonly retryAfter?: unknown;
    readonly data?: { readonly error?: unknown };
  };
  if (typeof retryAfter === 'number') return createSlackThrottledError(retryAfter, thrown);
  if (typeof data?.error === 'string') return createSlackRefusalError(data.error, thrown);
  return createSlackFailedError(thrown);
}

/** The calls that Slack holds back for some time: they wait together, and go one after another. */
interface Pause {
  /** Milliseconds of `performance.now()`. */
  untilMs: number;
  waiting: number;
}

const MAX_PAUSES = 5_000;
/** Five calls a second, which Slack takes of most methods for a while. */
const APART_MS = 200;

const createPause = (): Pause => ({ untilMs: 0, waiting: 0 });

/** Waits for the turn of a call. Errors: SLACK_THROTTLED if that would be after `latestMs`. */
async function waitForTurn(pause: Pause, latestMs: number): Promise<void> {
  for (;;) {
    const now = performance.now();
    if (now >= pause.untilMs) return;
    const turnMs = pause.untilMs + pause.waiting * APART_MS;
    if (turnMs > latestMs) throw createSlackThrottledError(Math.ceil((turnMs - now) / 1_000));
    pause.waiting++;
    // A timer may be a little early.
    await wait(turnMs - now + 1, undefined, { ref: false });
    pause.waiting--;
  }
}

export function createSlackWorkspaces(deps: Pick<SlackFaceDeps, 'findConnection' | 'onProblem'>): SlackWorkspaces {
  const { findConnection, onProblem } = deps;
  return {
    async uninstall(botToken) {
      const connection = await findConnection();
      if (connection === null) throw createSlackError('SLACK_OFF');
      const { apiUrl, clientId, clientSecret } = connection;
      const call = createSlackApi(apiUrl, onProblem).as(botToken);
      await call('apps.uninstall', { client_id: clientId, client_secret: clientSecret });
    },
  };
}

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

/** Makes the error for a name that Slack answered; SLACK_FAILED for names not listed above. */
export function createSlackRefusalError(slackError: string, cause?: unknown): AppError {
  const code = codes[slackError];
  const message = code === undefined ? `Slack refused a call: ${slackError}.` : messages[code];
  return new AppError(code ?? 'SLACK_FAILED', message, { cause, data: { slackError } });
}

/** Makes the error for an answer of Slack that cannot be used. */
export const createSlackFailedError = (cause: unknown): AppError =>
  new AppError('SLACK_FAILED', 'Slack did not answer as it should. Try again.', { cause });

export function createSlackThrottledError(retryAfterSeconds: number, cause?: unknown): AppError {
  const message = `Slack takes no more calls for ${retryAfterSeconds} s. Wait, and try again.`;
  return new AppError('SLACK_THROTTLED', message, { cause, retryAfterSeconds });
}
