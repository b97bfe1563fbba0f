import type { SlackFaceDeps } from '../../deps.ts';
import { showHelp } from '../../learn/show-help.ts';
import type { ActionListener } from '../../listener.ts';

/** How to search, for who found nothing. */
export function learnHelpListener(
  deps: Pick<SlackFaceDeps, 'people' | 'keptStates' | 'onProblem'>,
): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_help',
    async handle(context) {
      return { kind: 'message', message: await showHelp(deps, context) };
    },
  };
}
