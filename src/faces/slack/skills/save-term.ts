import { noticeMessage } from '../blocks/messages.ts';
import { escapeMrkdwn, toBold } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { typedTerm } from '../learn/parse-learn.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { readTerm } from './skills-state.ts';

/** Keeps a term as a search, on the Home tab, until it is removed there. Errors: SLACK_STATE_OVER. */
export async function saveTerm(
  deps: Pick<SlackFaceDeps, 'keptStates' | 'people'>,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { label } = await readTerm(deps, context, value);
  const isSaved = await deps.people.saveSearch(context.owner, typedTerm(label));
  const { t } = await context.words();
  const said = t(isSaved ? 'slackSkills.saved' : 'slackSkills.savedEnough', {
    term: toBold(escapeMrkdwn(label)),
  });
  return { kind: 'message', message: noticeMessage(said) };
}
