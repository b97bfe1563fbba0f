import type { SlackFaceDeps } from '../../deps.ts';
import type { Learn } from '../../learn/learn.ts';
import { showHelp } from '../../learn/show-help.ts';
import type { CommandListener } from '../../listener.ts';
import { asksForHelp } from '../../text/asks-for-help.ts';

/** `/learn docker type:video`; `/learn` and `/learn help` say how. */
export function learnCommandListener(
  deps: Pick<SlackFaceDeps, 'people' | 'keptStates' | 'onProblem'>,
  learn: Learn,
): CommandListener {
  return {
    kind: 'command',
    name: '/learn',
    async handle(context, text) {
      const isHelp = text.trim() === '' || asksForHelp(text);
      const message = isHelp ? await showHelp(deps, context) : await learn.search(context, text);
      return { kind: 'message', message };
    },
  };
}
