import type { webApi } from '@slack/bolt';
import { createBoltLogger } from './bolt-logger.ts';

const CALL_MS = 8_000;

/** How Slack's API is called. Never with `headers`: clients would share that object, and with it the token of another workspace.
 *  No retries by the client, which repeats what must not happen twice; `api-calls.ts` knows what may be. */
export function clientOptions(apiUrl: string, onProblem: (error: unknown) => void): webApi.WebClientOptions {
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
