import type { Message } from '../blocks/block-kit.ts';
import { fetchInTime } from './bolt.ts';
import { callSlackPatiently } from './slack-api.ts';
import { createSlackRefusalError, createSlackThrottledError } from './slack-failures.ts';

export interface ResponseOptions {
  readonly how: 'ephemeral' | 'replace' | 'post';
  readonly threadTs?: string | undefined;
}

/** What is sent for a message: addresses in it must not grow into previews. */
export const toResponseBody = ({ text, blocks }: Message) => ({
  text,
  blocks,
  unfurl_links: false,
  unfurl_media: false,
});

/** Slack's own hosts for answers, also of its cloud for governments. */
const ANSWER_HOST = /^hooks\.slack(?:-gov)?\.com$/;

/** Whether answers may be sent there: to Slack, or to where the methods of this Slack are. What is signed says where answers go,
 *  and must not be able to send this host anywhere. */
export function isResponseAddress(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, origin } = new URL(address);
  return origin === new URL(apiUrl).origin || (protocol === 'https:' && ANSWER_HOST.test(host));
}

/** An answer through an address that Slack gave for it.
 *  Errors: SLACK_RESPONSE_EXPIRED, SLACK_THROTTLED, SLACK_FAILED. */
export async function respond(
  responseUrl: string,
  message: Message,
  { how, threadTs }: ResponseOptions,
): Promise<void> {
  const body = {
    ...toResponseBody(message),
    response_type: how === 'post' ? 'in_channel' : 'ephemeral',
    replace_original: how === 'replace',
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  };
  await callSlackPatiently(() => post(responseUrl, body));
}

async function post(responseUrl: string, body: object): Promise<void> {
  const response = await fetchInTime(responseUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  });
  const text = await response.text();
  if (response.status === 429)
    throw createSlackThrottledError(Number(response.headers.get('retry-after')) || 1);
  if (response.status === 404 || response.status === 410) throw createSlackRefusalError('expired_url');
  const said = errorIn(text);
  if (said !== null || !response.ok) throw createSlackRefusalError(said ?? `status ${response.status}`);
}

/** `{"ok":false,"error":"used_url"}`, or the bare word; null where all is well. */
function errorIn(text: string): string | null {
  if (/^\w{3,60}$/.test(text)) return text === 'ok' ? null : text;
  const [, said] = /"error"\s*:\s*"(\w{1,60})"/.exec(text) ?? [];
  return said ?? null;
}
