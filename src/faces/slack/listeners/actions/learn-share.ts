import type { SlackFaceDeps } from '../../deps.ts';
import { shareObject } from '../../learn/share-object.ts';
import type { ActionListener } from '../../listener.ts';

/** Posts an object for everyone in the conversation. */
export function learnShareListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_share',
    handle: (context, { value }) => shareObject(deps, context, value),
  };
}
