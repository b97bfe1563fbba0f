import type { ShelfOwner } from '#ports/store/store';
import { escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import type { Learn } from '../learn/learn.ts';
import type { ActionListener } from '../listener.ts';
import { showWaitingModal } from '../waiting-modal.ts';
import { digestText, type HomeDeps } from './home-model.ts';
import { showHome } from './show-home.ts';

export function homeSearchListener(deps: HomeDeps, learn: Pick<Learn, 'search'>): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_search',
    async handle(context, { value }) {
      const search = await findSearch(deps, context.owner, value);
      const { t } = await context.words();
      if (search !== null) {
        return showWaitingModal(
          context,
          { title: t('slackHome.searches.results'), callbackId: 'home_results' },
          async () => {
            const message = await learn.search(context, search);
            // It is the newest of the recent searches now; the results do not wait for that to be shown.
            showHome(deps, context).catch(deps.onProblem);
            return message;
          },
        );
      }
      await showHome(deps, context, { notice: () => t('slackHome.searches.over') });
      return { kind: 'done' };
    },
  };
}

/** After a second click it is removed all the same, which is what was wanted. */
export function homeSearchRemoveListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_search_remove',
    async handle(context, { value }) {
      const searches = await deps.people.listSavedSearches(context.owner);
      const search = searches.find((text) => digestText(text) === value);
      if (search === undefined) {
        await showHome(deps, context);
        return { kind: 'done' };
      }
      await deps.people.removeSavedSearch(context.owner, search);
      const title = escapeMrkdwn(toOneLine(search));
      await showHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
      return { kind: 'done' };
    },
  };
}

/** The saved or recent search that a button stands for; null where it is neither any more. */
async function findSearch(
  { people }: Pick<HomeDeps, 'people'>,
  owner: ShelfOwner,
  digest: string,
): Promise<string | null> {
  const [saved, recent] = await Promise.all([people.listSavedSearches(owner), people.listSearches(owner)]);
  const texts = [...saved, ...recent.map(({ text }) => text)];
  return texts.find((text) => digestText(text) === digest) ?? null;
}
