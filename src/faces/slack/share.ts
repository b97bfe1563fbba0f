import { AppError, hasErrorCode } from '#errors';
import type { Translate } from '#faces/words/i18n';
import type { Message } from './blocks/block-kit.ts';
import { noticeMessage } from './blocks/messages.ts';
import type { Reply, ShareTarget, SlackContext } from './listener.ts';

/** The conversation that something is asked for in; null if it is asked for in none. */
export const findShareTarget = ({ channelId, responseUrl }: SlackContext): ShareTarget | null =>
  channelId === null || responseUrl === null ? null : { channelId, threadTs: null, responseUrl };

type ShareOutcome = 'done' | 'already' | 'unsure' | 'nowhere' | 'refused';

interface Sharing {
  /** Names what is shared, the same each time. */
  readonly what: string;
  readonly message: Message;
  /** Null means the conversation of the request. */
  readonly shareTo: ShareTarget | null;
}

/** Longer than a posting takes. If the host fails meanwhile, it can be shared after that. */
const POSTING_MS = 120_000;

/** Shares something, and answers with the text of `say` for the outcome. */
export async function replyToShare(
  context: SlackContext,
  { say, ...sharing }: Sharing & { readonly say: (t: Translate, outcome: ShareOutcome) => string },
): Promise<Reply> {
  const outcome = await shareOnce(context, sharing);
  // A modal hides what is posted behind it.
  if (outcome === 'done' && context.view === null) return { kind: 'done' };
  const { t } = await context.words();
  return { kind: 'message', message: noticeMessage(say(t, outcome)) };
}

/** Posts for everyone in a conversation, once for each person.
 *  @returns `already`: posted before; `unsure`: being posted, or perhaps posted; `nowhere`: no
 *  conversation; `refused`: the app may not post there. Errors: passing ones of the posting. */
export async function shareOnce(context: SlackContext, { what, message, shareTo }: Sharing): Promise<ShareOutcome> {
  const target = shareTo ?? findShareTarget(context);
  if (target === null) return 'nowhere';
  const { owner, savedStates } = context;
  const shared = `${target.channelId} ${target.threadTs ?? ''} ${what}`;
  const isShared = () => savedStates.isClaimed(owner, `shared ${shared}`);
  if (await isShared()) return 'already';
  if (!(await savedStates.claim(owner, `share ${shared}`, POSTING_MS)))
    return (await isShared()) ? 'already' : 'unsure';
  try {
    await postSharedMessage(context, target, message);
  } catch (error) {
    // If this fails, the claim expires in two minutes; the reason of the posting matters more.
    if (isShareRefused(error)) await savedStates.release(owner, `share ${shared}`).catch(() => {});
    if (hasErrorCode(error, 'SLACK_NOT_IN_CHANNEL')) return 'refused';
    throw error;
  }
  // It is posted, even if that cannot be remembered.
  await savedStates.claim(owner, `shared ${shared}`).catch(() => {});
  return 'done';
}

/** Whether it was certainly not posted. Where Slack does not answer, it may have been. */
const isShareRefused = (error: unknown): boolean =>
  error instanceof AppError && (error.code !== 'SLACK_FAILED' || error.data.slackError !== undefined);

/** Slack's address for answers works anywhere for half an hour; later, only where the app is. */
async function postSharedMessage({ slack }: SlackContext, target: ShareTarget, message: Message): Promise<void> {
  const { responseUrl, channelId, threadTs } = target;
  try {
    await slack.respond(responseUrl, message, { how: 'post', threadTs: threadTs ?? undefined });
  } catch (error) {
    if (!hasErrorCode(error, 'SLACK_RESPONSE_EXPIRED')) throw error;
    await slack.postMessage(channelId, threadTs, message);
  }
}

type StoredState = { readonly kind: string };
type StateContext = Pick<SlackContext, 'owner' | 'savedStates'>;

/** @param token of a button; null if it is invalid, expired, or of another kind */
export async function findStateToShare<T extends StoredState>(
  { owner, savedStates }: StateContext,
  { token, kind }: { readonly token: string; readonly kind: T['kind'] },
): Promise<T | null> {
  const state = await savedStates.find<T>(owner, token);
  return state?.kind === kind ? state : null;
}

/** The same. Errors: SLACK_STATE_OVER. */
export async function readStateToShare<T extends StoredState>(
  context: StateContext,
  named: { readonly token: string; readonly kind: T['kind'] },
): Promise<T> {
  const state = await findStateToShare<T>(context, named);
  if (state === null) throw createStateExpiredError();
  return state;
}

export const createStateExpiredError = (): AppError =>
  new AppError('SLACK_STATE_OVER', 'This list is from too long ago. Search again.');

/** `<token>:<number>`; 0 for an unreadable number.
 *  @example readStateButton('k3J:12') // { token: 'k3J', number: 12 } */
export function readStateButton(value: string): { readonly token: string; readonly number: number } {
  const [token = '', number = ''] = value.split(':');
  return { token, number: /^\d{1,4}$/.test(number) ? Number(number) : 0 };
}

/** `<choice>:<token>:<number>`. Errors: PARAMETERS_INVALID.
 *  @example readStateMenuChoice('like:k3J:12', ['like']) // { choice: 'like', value: 'k3J:12' } */
export function readStateMenuChoice<C extends string>(
  chosen: string,
  choices: readonly C[],
): { readonly choice: C; readonly value: string } {
  const end = chosen.indexOf(':');
  const choice = choices.find((each) => each === chosen.slice(0, end));
  if (choice !== undefined) return { choice, value: chosen.slice(end + 1) };
  throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
}
