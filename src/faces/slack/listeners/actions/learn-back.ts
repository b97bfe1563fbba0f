import type { SlackFaceDeps } from '../../deps.ts';
import { showList } from '../../learn/show-list.ts';
import { readState } from '../../learn/state.ts';
import type { ActionListener } from '../../listener.ts';

/** Back to the list that an object was in. */
export function learnBackListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_back',
    async handle(context, { value: token }) {
      const state = await readState(deps, context, token);
      return { kind: 'replace', message: await showList(deps, context, { state, token }) };
    },
  };
}
