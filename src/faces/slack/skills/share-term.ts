import { noticeMessage } from '../blocks/messages.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { shareOnce } from '../share.ts';
import { sharedTerm } from './shared-term.ts';
import { readTerm } from './skills-state.ts';

/** Posts a term where it was asked for, once. Errors: SLACK_STATE_OVER, and of the posting. */
export async function shareTerm(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { state, label, taxonomy } = await readTerm(deps, context, value);
  const words = await context.words();
  const outcome = await shareOnce(deps, context, {
    what: `term ${JSON.stringify([taxonomy, label])}`,
    message: sharedTerm({ label, taxonomy }, context.userId, words),
    shareTo: state.shareTo,
  });
  // In a modal nobody sees what is posted behind it.
  if (outcome === 'done' && context.view === null) return { kind: 'done' };
  return { kind: 'message', message: noticeMessage(words.t(`slackSkills.share.${outcome}`)) };
}
