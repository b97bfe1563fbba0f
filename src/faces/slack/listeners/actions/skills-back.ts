import type { ActionListener } from '../../listener.ts';
import type { Skills } from '../../skills/skills.ts';

/** What was shown before. */
export function skillsBackListener(skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_back',
    async handle(context, { value }) {
      return { kind: 'replace', message: await skills.showAgain(context, value, null) };
    },
  };
}
