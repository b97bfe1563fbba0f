import { normalizeAddress } from '../../../domain/learning-object.ts';
import { notice } from '../blocks/notice.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { shareOnce } from '../share/share-once.ts';
import { sharedMessage } from './shared-message.ts';
import { readItem } from './state.ts';

/** Posts one object where it was asked for, once from whichever list, for everyone there. What cannot be posted is explained.
 *  Errors: SLACK_STATE_OVER, and of the posting where trying again may help. */
export async function shareObject(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { state, item } = await readItem(deps, context, value);
  const words = await context.words();
  const outcome = await shareOnce(deps, context, {
    what: `object ${normalizeAddress(item.object.url)}`,
    message: sharedMessage(item.object, context.userId, words),
    shareTo: state.shareTo,
  });
  // In a modal nobody sees what is posted behind it.
  if (outcome === 'done' && context.view === null) return { kind: 'done' };
  return { kind: 'message', message: notice(words.t(`slackLearn.share.${outcome}`)) };
}
