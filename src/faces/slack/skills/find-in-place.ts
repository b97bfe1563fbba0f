import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import type { Skills } from './skills.ts';
import { readTerm } from './skills-state.ts';

/** Terms like the one that a button names, where it is, with a way back.
 *  @param value of the button. Errors: SLACK_STATE_OVER, those of `Discovery`. */
export async function findInPlace(
  { skills, ...deps }: Pick<SlackFaceDeps, 'keptStates'> & { readonly skills: Skills },
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { label, token, state } = await readTerm(deps, context, value);
  const message = await skills.findLike(context, label, { shareTo: state.shareTo, back: token });
  return { kind: 'replace', message };
}
