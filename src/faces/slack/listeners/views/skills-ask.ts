import { waitingModal } from '../../blocks/messages.ts';
import type { SlackFaceDeps } from '../../deps.ts';
import type { ViewListener } from '../../listener.ts';
import type { ShareTarget } from '../../share.ts';
import { ASK_CALLBACK, ASK_FIELD } from '../../skills/ask-modal.ts';
import type { Skills } from '../../skills/skills.ts';

/** What was typed or pasted: its skills take the place of the form. */
export function skillsAskFormListener(deps: Pick<SlackFaceDeps, 'keptStates'>, skills: Skills): ViewListener {
  return {
    kind: 'view',
    callbackId: ASK_CALLBACK,
    async submit(context, view) {
      const words = await context.words();
      const text = view.values[ASK_FIELD]?.[ASK_FIELD]?.value?.trim() ?? '';
      if (text === '')
        return { show: { kind: 'errors', errors: { [ASK_FIELD]: words.t('slackSkills.ask.empty') } } };
      const title = words.t('slackSkills.ask.title');
      return {
        show: { kind: 'update', view: waitingModal({ title, callbackId: 'skills_found' }, words) },
        isRepeatable: true,
        afterwards: async () => {
          const shareTo = await deps.keptStates.find<ShareTarget>(context.owner, view.privateMetadata);
          return { kind: 'replace', message: await skills.find(context, text, { shareTo }) };
        },
      };
    },
  };
}
