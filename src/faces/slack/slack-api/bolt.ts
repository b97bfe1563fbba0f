import type { Logger, LogLevel, webApi } from '@slack/bolt';
import type { SlackConnection } from '../deps.ts';

export type WebClient = webApi.WebClient;

/** Loads Bolt only if Slack is used: it takes half a second. */
export const loadBolt = () => import('@slack/bolt');

const CALL_MS = 8_000;

/** Omits `headers`, which clients would share, and retries, which `slack-api.ts` does. */
export function makeBoltClientOptions(apiUrl: string, onProblem: (error: unknown) => void): webApi.WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    timeout: CALL_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: createBoltLogger(onProblem),
    fetch: fetchInTime,
  };
}

/** Bolt itself also fetches, without a limit of time. */
export const fetchInTime: NonNullable<webApi.WebClientOptions['fetch']> = (url, init) =>
  fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(CALL_MS) });

/** Tokens of Slack: `xoxb-…`, `xapp-…`, `xoxe.xoxb-…`. */
const TOKEN = /\bx(?:ox|app)[\w.-]{4,}/g;

/** Reports Bolt's errors without tokens. Its other messages come with every request. */
export function createBoltLogger(onProblem: (error: unknown) => void): Logger {
  const silent = () => undefined;
  return {
    debug: silent,
    info: silent,
    warn: silent,
    // An error becomes its name and message.
    error: (...parts: unknown[]) => onProblem(new Error(`Bolt: ${parts.map(String).join(' ')}`.replace(TOKEN, '•••'))),
    setLevel: silent,
    setName: silent,
    getLevel: () => 'error' as LogLevel,
  };
}

/** Calls `make` once for each connection; again when its credentials change or the call failed. */
export function rememberByConnection<T>(
  make: (connection: SlackConnection) => Promise<T>,
): (connection: SlackConnection) => Promise<T> {
  const cached = new Map<string, { readonly credentials: string; readonly value: Promise<T> }>();
  return (connection) => {
    const { clientId } = connection;
    const credentials = toCredentialsKey(connection);
    const existing = cached.get(clientId);
    if (existing?.credentials === credentials) return existing.value;
    const entry = { credentials, value: make(connection) };
    cached.set(clientId, entry);
    entry.value.catch(() => {
      if (cached.get(clientId) === entry) cached.delete(clientId);
    });
    return entry.value;
  };
}

export const toCredentialsKey = ({ clientId, clientSecret, signingSecret, apiUrl }: SlackConnection): string =>
  JSON.stringify([clientId, clientSecret, signingSecret, apiUrl]);
