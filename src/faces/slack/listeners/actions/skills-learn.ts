import type { SlackFaceDeps } from '../../deps.ts';
import type { Learn } from '../../learn/learn.ts';
import { typedTerm } from '../../learn/parse-learn.ts';
import type { ActionListener } from '../../listener.ts';
import { readTerm } from '../../skills/skills-state.ts';

/** Learning objects for a term. */
export function skillsLearnListener(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  learn: Pick<Learn, 'search'>,
): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_learn',
    async handle(context, { value }) {
      const { label, state } = await readTerm(deps, context, value);
      const message = await learn.search(context, typedTerm(label), state.shareTo ?? undefined);
      return { kind: 'message', message };
    },
  };
}
