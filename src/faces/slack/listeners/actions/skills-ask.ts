import type { SlackFaceDeps } from '../../deps.ts';
import type { ActionListener } from '../../listener.ts';
import { findShareTarget } from '../../share.ts';
import type { Skills } from '../../skills/skills.ts';
import { readSkillsState } from '../../skills/skills-state.ts';

/** To type or paste something else. Words that found nothing are there to be changed. */
export function skillsAskListener(deps: Pick<SlackFaceDeps, 'keptStates'>, skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_ask',
    async handle(context, { value }) {
      const { from, asked, shareTo } = await readSkillsState(deps, context, value);
      const prefilled = from === 'words' ? asked : '';
      const view = await skills.askFor(context, { prefilled, shareTo: shareTo ?? findShareTarget(context) });
      return { kind: 'modal', view };
    },
  };
}
