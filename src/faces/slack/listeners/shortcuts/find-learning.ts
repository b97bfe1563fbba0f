import { waitingModal } from '../../blocks/messages.ts';
import type { SlackFaceDeps } from '../../deps.ts';
import type { ShortcutListener } from '../../listener.ts';
import { findInMessage } from '../../skills/find-in-message.ts';
import type { Skills } from '../../skills/skills.ts';

/** "Find learning for this", in the menu of a message: a modal, which works in threads as well, where commands do not. */
export function findLearningListener(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  skills: Skills,
): ShortcutListener {
  return {
    kind: 'shortcut',
    callbackId: 'find_learning',
    async handle(context, source) {
      const words = await context.words();
      const title = words.t('slackSkills.message.title');
      return {
        kind: 'modal',
        view: waitingModal({ title, callbackId: 'skills_message' }, words),
        afterwards: async () => ({
          kind: 'replace',
          message: await findInMessage({ ...deps, skills }, context, source),
        }),
      };
    },
  };
}
