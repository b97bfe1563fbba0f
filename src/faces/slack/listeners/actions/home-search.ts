import { findSearch } from '../../home/find-search.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { showInModal } from '../../home/results-modal.ts';
import { showHome } from '../../home/show-home.ts';
import type { Learn } from '../../learn/learn.ts';
import type { ActionListener } from '../../listener.ts';

export function homeSearchListener(
  deps: HomeDeps,
  { learn }: { readonly learn: Pick<Learn, 'search'> },
): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_search',
    async handle(context, { value }) {
      const search = await findSearch(deps, context.owner, value);
      const { t } = await context.words();
      if (search !== null) {
        return showInModal(context, t('slackHome.searches.results'), async () => {
          const message = await learn.search(context, search);
          // It is the newest of the recent searches now; nobody who looks at the results waits for that.
          showHome(deps, context).catch(deps.onProblem);
          return message;
        });
      }
      await showHome(deps, context, { notice: () => t('slackHome.searches.over') });
      return { kind: 'done' };
    },
  };
}
