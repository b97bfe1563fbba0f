import { AppError } from '../../../../errors.ts';
import type { SlackFaceDeps } from '../../deps.ts';
import { readChoice } from '../../kept-state.ts';
import { feedbackModal } from '../../learn/feedback-modal.ts';
import { menuChoices } from '../../learn/result-blocks.ts';
import { showSimilar } from '../../learn/show-similar.ts';
import { readItem } from '../../learn/state.ts';
import type { ActionListener } from '../../listener.ts';

/** An object's menu: more like it, or what somebody thinks of it. Errors: PARAMETERS_INVALID. */
export function learnMenuListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_menu',
    async handle(context, { value: chosen }) {
      const read = readChoice(chosen, menuChoices);
      if (read === null)
        throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
      const { choice, value } = read;
      if (choice === 'similar') return showSimilar(deps, context, value);
      const { item } = await readItem(deps, context, value);
      const verdict = choice === 'broken' ? choice : null;
      const { title } = item.object;
      return { kind: 'modal', view: feedbackModal({ title, verdict, value }, await context.words()) };
    },
  };
}
