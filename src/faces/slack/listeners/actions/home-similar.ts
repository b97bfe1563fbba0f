import { findSaved } from '../../home/find-saved.ts';
import type { HomeActionDeps } from '../../home/home-deps.ts';
import { showInModal } from '../../home/results-modal.ts';
import { showHome } from '../../home/show-home.ts';
import { similarMessage } from '../../learn/similar.ts';
import type { ActionListener } from '../../listener.ts';

export function homeSimilarListener(deps: HomeActionDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_similar',
    async handle(context, { value }) {
      const found = await findSaved(deps.shelf, context.owner, value);
      const { t } = await context.words();
      if (found !== null) {
        const like = { object: found.object, back: null, shareTo: null };
        return showInModal(context, t('slackHome.saved.similar'), () => similarMessage(deps, context, like));
      }
      await showHome(deps, context, { notice: () => t('slackHome.searches.over') });
      return { kind: 'done' };
    },
  };
}
