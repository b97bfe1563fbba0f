import type { SlackFaceDeps } from '../../deps.ts';
import type { ActionListener } from '../../listener.ts';
import { findInPlace } from '../../skills/find-in-place.ts';
import type { Skills } from '../../skills/skills.ts';

/** Skills for what was meant, or for a related term, instead of what is shown. */
export function skillsTryListener(deps: Pick<SlackFaceDeps, 'keptStates'>, skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_try*',
    handle: (context, { value }) => findInPlace({ ...deps, skills }, context, value),
  };
}
