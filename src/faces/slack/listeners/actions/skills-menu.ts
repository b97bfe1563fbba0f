import { AppError } from '../../../../errors.ts';
import type { SlackFaceDeps } from '../../deps.ts';
import { readMenuChoice } from '../../kept-state.ts';
import type { ActionListener } from '../../listener.ts';
import { findInPlace } from '../../skills/find-in-place.ts';
import { saveTerm } from '../../skills/save-term.ts';
import { shareTerm } from '../../skills/share-term.ts';
import type { Skills } from '../../skills/skills.ts';
import { termChoices } from '../../skills/term-blocks.ts';

/** The menu of a term. Errors: PARAMETERS_INVALID. */
export function skillsMenuListener(
  deps: Pick<SlackFaceDeps, 'keptStates' | 'people'>,
  skills: Skills,
): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_menu',
    async handle(context, action) {
      const read = readMenuChoice(action.value, termChoices);
      if (read === null)
        throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
      const { choice, value } = read;
      if (choice === 'similar') return findInPlace({ ...deps, skills }, context, value);
      return choice === 'save' ? saveTerm(deps, context, value) : shareTerm(deps, context, value);
    },
  };
}
