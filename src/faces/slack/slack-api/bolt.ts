import type { Logger, LogLevel, webApi } from '@slack/bolt';

export type WebClient = webApi.WebClient;

/** Loaded only where Slack is used: it takes half a second. */
export const loadBolt = () => import('@slack/bolt');

export type Bolt = Awaited<ReturnType<typeof loadBolt>>;

const CALL_MS = 8_000;

/** How Slack's API is called. Never with `headers`: clients would share that object, and with it the token of another workspace.
 *  No retries by the client, which would repeat what must not happen twice; `slack-api.ts` decides. */
export function makeBoltClientOptions(
  apiUrl: string,
  onProblem: (error: unknown) => void,
): webApi.WebClientOptions {
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

/** Bolt's errors are reported like all problems, without tokens. Its other messages are dropped: they come with every request. */
export function createBoltLogger(onProblem: (error: unknown) => void): Logger {
  const silent = () => undefined;
  return {
    debug: silent,
    info: silent,
    warn: silent,
    error: (...said: unknown[]) =>
      onProblem(new Error(`Bolt: ${said.map(toText).join(' ')}`.replace(TOKEN, '•••'))),
    setLevel: silent,
    setName: silent,
    getLevel: () => 'error' as LogLevel,
  };
}

const toText = (said: unknown): string =>
  said instanceof Error ? `${said.name}: ${said.message}` : String(said);
