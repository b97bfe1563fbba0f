import { AppError, hasErrorCode } from '#errors';
import type { Translate } from '#faces/words/i18n';
import type { Message } from './blocks/block-kit.ts';
import { noticeMessage } from './blocks/messages.ts';
import type { Reply, ShareTarget, SlackContext } from './listener.ts';

/** Finds the conversation in which the request was made; null if it was made elsewhere. */
export const findShareTarget = ({ channelId, responseUrl }: SlackContext): ShareTarget | null =>
  channelId === null || responseUrl === null ? null : { channelId, threadTs: null, responseUrl };

type ShareOutcome = 'done' | 'already' | 'unsure' | 'nowhere' | 'refused';

interface Sharing {
  /** Names the content, the same each time it is shared. */
  readonly contentId: string;
  readonly message: Message;
  /** Null means the conversation of the request. */
  readonly shareTo: ShareTarget | null;
}

/** Longer than a posting takes. If the host fails meanwhile, it can be shared after that. */
const POSTING_MS = 120_000;

/** Shares a message, and replies with the text that `describe` gives for the outcome. */
export async function replyToShare(
  context: SlackContext,
  { describe, ...sharing }: Sharing & { readonly describe: (t: Translate, outcome: ShareOutcome) => string },
): Promise<Reply> {
  const outcome = await shareOnce(context, sharing);
  // A modal hides what is posted behind it.
  if (outcome === 'done' && context.view === null) return { kind: 'done' };
  const { t } = await context.words();
  return { kind: 'message', message: noticeMessage(describe(t, outcome)) };
}

/** Posts a message for everyone in a conversation, once for each person.
 *  @returns `already`: posted before; `unsure`: being posted, or perhaps posted; `nowhere`: no
 *  conversation; `refused`: the app may not post there. Errors: those of `SlackCalls`. */
export async function shareOnce(
  context: SlackContext,
  { contentId, message, shareTo }: Sharing,
): Promise<ShareOutcome> {
  const target = shareTo ?? findShareTarget(context);
  if (target === null) return 'nowhere';
  const { owner, savedStates } = context;
  const name = `${target.channelId} ${target.threadTs ?? ''} ${contentId}`;
  const isShared = () => savedStates.isClaimed(owner, `shared ${name}`);
  if (await isShared()) return 'already';
  if (!(await savedStates.claim(owner, `share ${name}`, POSTING_MS))) return (await isShared()) ? 'already' : 'unsure';
  try {
    await postSharedMessage(context, target, message);
  } catch (error) {
    // If this fails, the claim expires in two minutes; the reason of the posting matters more.
    if (isShareRefused(error)) await savedStates.release(owner, `share ${name}`).catch(() => {});
    if (hasErrorCode(error, 'SLACK_NOT_IN_CHANNEL')) return 'refused';
    throw error;
  }
  // It is posted, even if that cannot be remembered.
  await savedStates.claim(owner, `shared ${name}`).catch(() => {});
  return 'done';
}

/** Whether the message was certainly not posted. Where Slack does not answer, it may have been. */
const isShareRefused = (error: unknown): boolean =>
  error instanceof AppError && (error.code !== 'SLACK_FAILED' || error.data.slackError !== undefined);

/** Posts by the response URL, which works anywhere for half an hour, else as the app. */
async function postSharedMessage({ slack }: SlackContext, target: ShareTarget, message: Message): Promise<void> {
  const { responseUrl, channelId, threadTs } = target;
  try {
    await slack.respond(responseUrl, message, { kind: 'post', threadTs: threadTs ?? undefined });
  } catch (error) {
    if (!hasErrorCode(error, 'SLACK_RESPONSE_EXPIRED')) throw error;
    await slack.postMessage(channelId, threadTs, message);
  }
}
