import type { SlackFaceDeps } from '../deps.ts';
import type { Learn } from '../learn/learn.ts';
import type { Listener } from '../listener.ts';
import { skillsAskListener } from '../listeners/actions/skills-ask.ts';
import { skillsBackListener } from '../listeners/actions/skills-back.ts';
import { skillsGroupListener } from '../listeners/actions/skills-group.ts';
import { skillsLearnListener } from '../listeners/actions/skills-learn.ts';
import { skillsMenuListener } from '../listeners/actions/skills-menu.ts';
import { skillsTryListener } from '../listeners/actions/skills-try.ts';
import { skillsCommandListener } from '../listeners/commands/skills.ts';
import { findLearningListener } from '../listeners/shortcuts/find-learning.ts';
import { skillsAskFormListener } from '../listeners/views/skills-ask.ts';
import type { Skills } from './skills.ts';

/** Finding skills for words, in a text, and in a message. */
export function skillsListeners(
  deps: Pick<SlackFaceDeps, 'keptStates' | 'people'>,
  { learn, skills }: { readonly learn: Pick<Learn, 'search'>; readonly skills: Skills },
): Listener[] {
  return [
    skillsCommandListener(skills),
    skillsLearnListener(deps, learn),
    skillsMenuListener(deps, skills),
    skillsTryListener(deps, skills),
    skillsGroupListener(skills),
    skillsBackListener(skills),
    skillsAskListener(deps, skills),
    skillsAskFormListener(deps, skills),
    findLearningListener(deps, skills),
  ];
}
