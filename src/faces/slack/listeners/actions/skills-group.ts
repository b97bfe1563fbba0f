import { readButtonValue } from '../../kept-state.ts';
import type { ActionListener } from '../../listener.ts';
import type { Skills } from '../../skills/skills.ts';

/** All terms of one taxonomy. */
export function skillsGroupListener(skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_group*',
    async handle(context, { value }) {
      const { token, number } = readButtonValue(value);
      return { kind: 'replace', message: await skills.showAgain(context, token, number) };
    },
  };
}
