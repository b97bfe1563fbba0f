import type { ShelfOwner, ShelfRecord } from '#ports/store/store';
import type { Shelf } from '#services/people/shelf';
import { escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import { drawSimilarMessage } from '../learn/similar.ts';
import type { ActionListener } from '../listener.ts';
import { showWaitingModal } from '../waiting-modal.ts';
import { digestText, type HomeActionDeps, type HomeDeps } from './home-model.ts';
import { showHome } from './show-home.ts';

export function homeSimilarListener(deps: HomeActionDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_similar',
    async handle(context, { value }) {
      const found = await findSaved(deps.shelf, context.owner, value);
      const { t } = await context.words();
      if (found !== null) {
        const like = { object: found.object, back: null, shareTo: null };
        return showWaitingModal(
          context,
          { title: t('slackHome.saved.similar'), callbackId: 'home_results' },
          () => drawSimilarMessage(deps, context, like),
        );
      }
      await showHome(deps, context, { notice: () => t('slackHome.searches.over') });
      return { kind: 'done' };
    },
  };
}

/** After a second click it is removed all the same, which is what was wanted. */
export function homeRemoveListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_remove',
    async handle(context, { value }) {
      const found = await findSaved(deps.shelf, context.owner, value);
      if (found === null) {
        await showHome(deps, context);
        return { kind: 'done' };
      }
      await deps.shelf.remove(context.owner, found.object.url);
      const title = escapeMrkdwn(toOneLine(found.object.title));
      await showHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
      return { kind: 'done' };
    },
  };
}

const PAGE_SIZE = 100;

/** The saved object that a button stands for; null where it is no longer saved. */
export async function findSaved(
  shelf: Shelf,
  owner: ShelfOwner,
  digest: string,
): Promise<ShelfRecord | null> {
  for (let page = 0; ; page++) {
    const { items, total } = await shelf.list(owner, { page, pageSize: PAGE_SIZE });
    const found = items.find(({ address }) => digestText(address) === digest);
    if (found !== undefined) return found;
    if ((page + 1) * PAGE_SIZE >= total) return null;
  }
}
