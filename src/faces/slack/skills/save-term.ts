import { notice } from '../blocks/notice.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { typedTerm } from '../text/typed-term.ts';
import { readTerm } from './skills-state.ts';
import { strong } from './term-blocks.ts';

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
    term: strong(escapeMrkdwn(label)),
  });
  return { kind: 'message', message: notice(said) };
}
