import type { SlackFaceDeps } from '../../deps.ts';
import type { ActionListener } from '../../listener.ts';
import { shareTargetOf } from '../../share/share-target.ts';
import type { Skills } from '../../skills/skills.ts';
import { readState } from '../../skills/skills-state.ts';

/** To type or paste something else. Words that found nothing are there to be changed. */
export function skillsAskListener(deps: Pick<SlackFaceDeps, 'keptStates'>, skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_ask',
    async handle(context, { value }) {
      const { from, asked, shareTo } = await readState(deps, context, value);
      const prefilled = from === 'words' ? asked : '';
      const view = await skills.askFor(context, { prefilled, shareTo: shareTo ?? shareTargetOf(context) });
      return { kind: 'modal', view };
    },
  };
}
