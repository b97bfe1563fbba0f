import type { SlackFaceDeps } from '../../deps.ts';
import { refreshHome } from '../../home/show-home.ts';
import { saveObject, unsaveObject } from '../../learn/save-object.ts';
import type { ActionListener } from '../../listener.ts';

/** Saves an object; clicked twice it is saved all the same. */
export const learnSaveListener = (deps: SlackFaceDeps): ActionListener =>
  changeListener(deps, 'learn_save', saveObject);

/** Takes a saved object away again. */
export const learnUnsaveListener = (deps: SlackFaceDeps): ActionListener =>
  changeListener(deps, 'learn_unsave', unsaveObject);

function changeListener(deps: SlackFaceDeps, actionId: string, change: typeof saveObject): ActionListener {
  return {
    kind: 'action',
    actionId,
    async handle(context, { value }) {
      const reply = await change(deps, context, value);
      refreshHome(deps, context);
      return reply;
    },
  };
}
