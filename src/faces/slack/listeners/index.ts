import type { SlackFaceDeps } from '../deps.ts';
import { homeListeners } from '../home/home-listeners.ts';
import { createLearn, learnListeners } from '../learn/learn.ts';
import type { Listener } from '../listener.ts';
import { searchListeners } from '../search-modal/search-listeners.ts';
import { createSkills } from '../skills/skills.ts';
import { skillsListeners } from '../skills/skills-listeners.ts';

/** Everything that the app listens to. */
export function createListeners(deps: SlackFaceDeps): readonly Listener[] {
  const learn = createLearn(deps);
  const skills = createSkills(deps, learn);
  return [
    ...learnListeners(deps, { learn }),
    ...skillsListeners(deps, { learn, skills }),
    ...searchListeners({ ...deps, learn }),
    ...homeListeners(deps, { learn }),
  ];
}
