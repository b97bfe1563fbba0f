import type { LearningObject } from '#domain/learning-object';
import type { ShelfOwner } from '#ports/store/store';
import { showWaitingModal } from '../blocks/messages.ts';
import { escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { Learn } from '../learn/learn.ts';
import { showSimilar } from '../learn/object-actions.ts';
import type { Reply, SlackContext } from '../listener.ts';
import { digestText } from './home-view.ts';
import { type HomeDeps, replyWithHome, showHome } from './show-home.ts';

export async function openSimilar(
  deps: HomeDeps & Pick<SlackFaceDeps, 'tenants' | 'savedStates'>,
  context: SlackContext,
  digest: string,
): Promise<Reply> {
  const object = await findSavedObject(deps, context.owner, digest);
  const { t } = await context.words();
  if (object === null) return replyWithHome(deps, context, { notice: () => t('slackHome.searches.over') });
  const parts = { title: t('slackHome.saved.similar'), callbackId: 'home_results' };
  return showWaitingModal(context, parts, () => showSimilar(deps, context, { object, back: null, shareTo: null }));
}

/** Removes a saved object. A second click finds nothing to remove, and draws Home anew. */
export async function removeSavedObject(deps: HomeDeps, context: SlackContext, digest: string): Promise<Reply> {
  const object = await findSavedObject(deps, context.owner, digest);
  if (object === null) return replyWithHome(deps, context);
  await deps.shelf.remove(context.owner, object.url);
  const title = escapeMrkdwn(toOneLine(object.title));
  return replyWithHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
}

const PAGE_SIZE = 100;

/** The saved object that a button names; null where it is no longer saved. */
async function findSavedObject({ shelf }: HomeDeps, owner: ShelfOwner, digest: string): Promise<LearningObject | null> {
  for (let page = 0; ; page++) {
    const { items, total } = await shelf.list(owner, { page, pageSize: PAGE_SIZE });
    const record = items.find(({ address }) => digestText(address) === digest);
    if (record !== undefined) return record.object;
    if ((page + 1) * PAGE_SIZE >= total) return null;
  }
}

export async function openSearch(
  deps: HomeDeps,
  learn: Pick<Learn, 'search'>,
  context: SlackContext,
  digest: string,
): Promise<Reply> {
  const { people } = deps;
  const [saved, recent] = await Promise.all([
    people.listSavedSearches(context.owner),
    people.listSearches(context.owner),
  ]);
  const texts = [...saved, ...recent.map(({ text }) => text)];
  const search = texts.find((text) => digestText(text) === digest);
  const { t } = await context.words();
  if (search === undefined) return replyWithHome(deps, context, { notice: () => t('slackHome.searches.over') });
  const parts = { title: t('slackHome.searches.results'), callbackId: 'home_results' };
  return showWaitingModal(context, parts, async () => {
    const message = await learn.search(context, search);
    // It is the newest of the recent searches now; the results do not wait for that to be shown.
    showHome(deps, context).catch(deps.onProblem);
    return message;
  });
}

/** Removes a saved search. A second click finds nothing to remove, and draws Home anew. */
export async function removeSavedSearch(deps: HomeDeps, context: SlackContext, digest: string): Promise<Reply> {
  const searches = await deps.people.listSavedSearches(context.owner);
  const search = searches.find((text) => digestText(text) === digest);
  if (search === undefined) return replyWithHome(deps, context);
  await deps.people.removeSavedSearch(context.owner, search);
  const title = escapeMrkdwn(toOneLine(search));
  return replyWithHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
}
