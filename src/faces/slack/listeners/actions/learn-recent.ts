import type { SlackFaceDeps } from '../../deps.ts';
import type { Learn } from '../../learn/learn.ts';
import { readRecent } from '../../learn/show-help.ts';
import type { ActionListener } from '../../listener.ts';

/** What was searched before, again, in place of the help. */
export function learnRecentListener(deps: SlackFaceDeps, learn: Learn): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_recent_*',
    async handle(context, { value }) {
      const message = await learn.search(context, await readRecent(deps, context, value));
      return { kind: 'replace', message };
    },
  };
}
