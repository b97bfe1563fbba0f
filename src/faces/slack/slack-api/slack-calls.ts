import { AppError } from '#errors';
import type { HomeView, KnownBlock, Message, ModalView } from '../blocks/block-kit.ts';
import { dropPictures } from '../blocks/messages.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { fetchInTime } from './bolt.ts';
import { type CallSlack, callPatiently, createSlackRefusalError, createSlackThrottledError } from './slack-api.ts';

/** Slack's errors for a view that somebody closed or changed meanwhile. */
const STALE: ReadonlySet<unknown> = new Set(['hash_conflict', 'not_found', 'view_not_found']);

export interface ViewTarget {
  readonly id: string;
  /** If given, the view changes only if it still has this hash. */
  readonly hash?: string | undefined;
}

/** Blocks below a message that is sent or being written, by address in it. */
interface LinkPreviews {
  readonly unfurl_id: string;
  readonly source: string;
  readonly unfurls: Readonly<Record<string, { readonly blocks: readonly KnownBlock[] }>>;
}

export type SlackCalls = ReturnType<typeof createSlackCalls>;

/** Calls in the name of the app. Errors: SLACK_TRIGGER_EXPIRED, SLACK_RESPONSE_EXPIRED,
 *  SLACK_NOT_IN_CHANNEL, SLACK_THROTTLED, SLACK_FAILED. */
export function createSlackCalls(call: CallSlack) {
  const showView = async (method: string, triggerId: string, view: object): Promise<string> => {
    const answer = await call(method, { trigger_id: triggerId, view });
    return (answer.view as { readonly id?: string } | undefined)?.id ?? '';
  };
  return {
    openView: (triggerId: string, view: ModalView) => showView('views.open', triggerId, view),
    pushView: (triggerId: string, view: ModalView) => showView('views.push', triggerId, view),
    async updateView({ id, hash }: ViewTarget, view: ModalView): Promise<void> {
      const target = { view_id: id, ...(hash !== undefined && { hash }) };
      await call('views.update', { ...target, view }).catch((error: unknown) => {
        if (!(error instanceof AppError && STALE.has(error.data.slackError))) throw error;
      });
    },
    async publishHome(userId: string, view: HomeView): Promise<void> {
      await call('views.publish', { user_id: userId, view });
    },
    /** Posts a message as the app, into a conversation that it is in. */
    async postMessage(channelId: string, threadTs: string | null, message: Message): Promise<void> {
      const target = { channel: channelId, ...(threadTs !== null && { thread_ts: threadTs }) };
      await call('chat.postMessage', { ...target, ...toMessageBody(message) });
    },
    async unfurl(previews: LinkPreviews): Promise<void> {
      await call('chat.unfurl', { ...previews });
    },
    respond,
  };
}

/** Slack's errors for a picture that it cannot fetch, and for otherwise wrong blocks. */
const WRONG_BLOCKS: ReadonlySet<unknown> = new Set(['invalid_blocks', 'invalid_arguments']);

/** Sends a message; again without pictures if Slack refuses it, as for one missing picture. */
export async function sendWithPictures(
  message: Message,
  { onProblem }: Pick<SlackFaceDeps, 'onProblem'>,
  send: (message: Message) => Promise<void>,
): Promise<void> {
  try {
    await send(message);
  } catch (error) {
    if (!(error instanceof AppError && WRONG_BLOCKS.has(error.data.slackError))) throw error;
    onProblem(error);
    await send(dropPictures(message));
  }
}

/** Makes the body of a message, in which addresses do not get previews. */
export const toMessageBody = ({ text, blocks }: Message) => ({
  text,
  blocks,
  unfurl_links: false,
  unfurl_media: false,
});

/** Slack's hosts for answers, also of its cloud for governments. */
const ANSWER_HOST = /^hooks\.slack(?:-gov)?\.com$/;

/** Whether an address is one of Slack: a signed request must not make this host call others. */
export function isResponseAddress(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, origin } = new URL(address);
  return origin === new URL(apiUrl).origin || (protocol === 'https:' && ANSWER_HOST.test(host));
}

/** Sends a message to the response URL of this or an earlier request.
 *  Errors: SLACK_RESPONSE_EXPIRED, SLACK_THROTTLED, SLACK_FAILED. */
export async function respond(
  responseUrl: string,
  message: Message,
  { kind, threadTs }: { readonly kind: 'ephemeral' | 'replace' | 'post'; readonly threadTs?: string | undefined },
): Promise<void> {
  const body = {
    ...toMessageBody(message),
    response_type: kind === 'post' ? 'in_channel' : 'ephemeral',
    replace_original: kind === 'replace',
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  };
  await callPatiently(() => postResponse(responseUrl, body));
}

async function postResponse(responseUrl: string, body: object): Promise<void> {
  const response = await fetchInTime(responseUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  });
  const text = await response.text();
  if (response.status === 429) throw createSlackThrottledError(Number(response.headers.get('retry-after')) || 1);
  if (response.status === 404 || response.status === 410) throw createSlackRefusalError('expired_url');
  const slackError = findResponseError(text);
  if (slackError !== null || !response.ok) throw createSlackRefusalError(slackError ?? `status ${response.status}`);
}

/** Finds the error in `{"ok":false,"error":"used_url"}` or a bare word; null if there is none. */
function findResponseError(text: string): string | null {
  if (/^\w{3,60}$/.test(text)) return text === 'ok' ? null : text;
  return /"error"\s*:\s*"(\w{1,60})"/.exec(text)?.[1] ?? null;
}
