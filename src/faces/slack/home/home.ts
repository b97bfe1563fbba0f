import type { LearningObject } from '#domain/learning-object';
import { toOneLine } from '#domain/text';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { readEveryItem } from '#services/host/every-item';
import { divider, input, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { listProviderOptions } from '../blocks/menus.ts';
import { drawModal, showWaitingModal } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { showSimilarObjects } from '../learn/object-actions.ts';
import type { Listener, Reply, SlackContext, SlackView, ViewAnswer } from '../listener.ts';
import { HOME, LISTS_MS, on, readField, refuseField } from '../listener.ts';
import { parseHomePage, replyWithHome, showHome, toHomeButtonValue } from './home-view.ts';
import { drawPreferencesModal, readPreferences } from './preferences.ts';

export const homeListeners: readonly Listener[] = [
  on('home', HOME, (context, text) => showHome(context, text === undefined ? {} : { notice: () => text })),
  on('action', 'home_page_*', (context, { value }) => replyWithHome(context, { page: parseHomePage(value) })),
  on('action', 'home_similar', (context, { value }) => openSimilarFromHome(context, value)),
  on('action', 'home_remove', (context, { value }) => removeObjectFromHome(context, value)),
  on('action', 'home_search', (context, { value }) => openSearchFromHome(context, value)),
  on('action', 'home_search_remove', (context, { value }) => removeSearchFromHome(context, value)),
  on('action', 'home_preferences', openPreferences),
  on('view', 'home_preferences_save', savePreferences),
  on('options', 'home_providers', listProviderOptions),
  on('action', 'home_link', openHomeLinkModal),
  on('view', 'home_link_code', submitHomeLinkCode),
  on('action', 'home_unlink', unlinkFromHome),
];

async function openPreferences({ people, owner, discovery, words }: SlackContext): Promise<Reply> {
  const [preferences, lists, reader] = await Promise.all([
    people.getPreferences(owner),
    discovery.lists({ timeoutMs: LISTS_MS }),
    words(),
  ]);
  return { kind: 'modal', view: drawPreferencesModal(preferences, lists, reader) };
}

async function savePreferences(context: SlackContext, { values }: SlackView): Promise<ViewAnswer> {
  const preferences = readPreferences(values);
  await context.people.changePreferences(context.owner, preferences);
  const notice = ({ t }: ObjectWords) => t('slackHome.preferences.saved');
  const afterwards = () => replyWithHome(context, { preferences, notice });
  return { show: { kind: 'close' }, afterwards };
}

async function openSimilarFromHome(context: SlackContext, digest: string): Promise<Reply> {
  const object = await findSavedObject(context, digest);
  const { t } = await context.words();
  if (object === null) return replyWithHome(context, { notice: () => t('slackHome.searches.over') });
  const parts = { title: t('slackHome.saved.similar'), callbackId: 'home_results' };
  return showWaitingModal(context, parts, () => showSimilarObjects(context, { object, back: null, shareTo: null }));
}

/** Removes a saved object. A second click finds nothing to remove, and draws Home anew. */
async function removeObjectFromHome(context: SlackContext, digest: string): Promise<Reply> {
  const object = await findSavedObject(context, digest);
  if (object === null) return replyWithHome(context);
  await context.shelf.remove(context.owner, object.url);
  const title = escapeMrkdwn(toOneLine(object.title));
  return replyWithHome(context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
}

/** Finds the saved object that a button names; null if it is no longer saved. */
async function findSavedObject({ shelf, owner }: SlackContext, digest: string): Promise<LearningObject | null> {
  for await (const { address, object } of readEveryItem((page) => shelf.list(owner, page)))
    if (toHomeButtonValue(address) === digest) return object;
  return null;
}

async function openSearchFromHome(context: SlackContext, digest: string): Promise<Reply> {
  const { people, owner } = context;
  const [saved, recent] = await Promise.all([people.listSavedSearches(owner), people.listSearches(owner)]);
  const texts = [...saved, ...recent.map(({ text }) => text)];
  const search = texts.find((text) => toHomeButtonValue(text) === digest);
  const { t } = await context.words();
  if (search === undefined) return replyWithHome(context, { notice: () => t('slackHome.searches.over') });
  const parts = { title: t('slackHome.searches.results'), callbackId: 'home_results' };
  return showWaitingModal(context, parts, async () => {
    const message = await context.learn.search(context, search);
    // Home lists this search as the newest; the results do not wait for that.
    showHome(context).catch(context.onProblem);
    return message;
  });
}

/** Removes a saved search. A second click finds nothing to remove, and draws Home anew. */
async function removeSearchFromHome(context: SlackContext, digest: string): Promise<Reply> {
  const searches = await context.people.listSavedSearches(context.owner);
  const search = searches.find((text) => toHomeButtonValue(text) === digest);
  if (search === undefined) return replyWithHome(context);
  await context.people.removeSavedSearch(context.owner, search);
  const title = escapeMrkdwn(toOneLine(search));
  return replyWithHome(context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
}

/** Block id and action id of the code that is typed. */
const CODE_FIELD = 'home_link_code';

async function openHomeLinkModal({ people, owner, words }: SlackContext): Promise<Reply> {
  const { code, expiresAt } = await people.createLinkCode(owner);
  const { t } = await words();
  const seconds = Math.floor(expiresAt.getTime() / 1_000);
  const blocks = [
    sectionBlock(t('slackHome.link.give')),
    sectionBlock(`*${code}*`),
    // Slack shows the time in the reader's time zone; the fallback is in UTC.
    smallText(
      t('slackHome.link.valid', { time: `<!date^${seconds}^{time}|${expiresAt.toISOString().slice(11, 16)} UTC>` }),
    ),
    divider,
    input({
      id: CODE_FIELD,
      label: t('slackHome.link.take'),
      hint: t('slackHome.link.takeHint'),
      element: { type: 'plain_text_input', max_length: 40 },
    }),
  ];
  const view = drawModal({
    title: t('slackHome.link.short'),
    submit: t('slackHome.link.submit'),
    close: t('slackHome.link.close'),
    callbackId: 'home_link_code',
    blocks,
  });
  return { kind: 'modal', view };
}

/** The text beside the field of the code for each error of `people.link`. */
const problems: Readonly<Record<string, string>> = {
  LINK_CODE_INVALID: 'slackHome.link.invalid',
  LINK_CODE_THROTTLED: 'slackHome.link.throttled',
  SHELF_FULL: 'slackHome.link.full',
};

async function submitHomeLinkCode(context: SlackContext, { values }: SlackView): Promise<ViewAnswer> {
  const code = readField(values, CODE_FIELD)?.value?.trim() ?? '';
  const problem = code === '' ? 'slackHome.link.empty' : await linkFromHome(context, code);
  const { t } = await context.words();
  if (problem !== null) return refuseField(CODE_FIELD, t(problem));
  const view = drawModal({
    title: t('slackHome.link.short'),
    close: t('slackHome.link.close'),
    callbackId: 'home_linked',
    blocks: [sectionBlock(t('slackHome.link.done'))],
  });
  return { show: { kind: 'update', view }, afterwards: () => replyWithHome(context) };
}

/** Links the person with another account. @returns the text for a refused code, or null */
async function linkFromHome({ people, owner }: SlackContext, code: string): Promise<string | null> {
  try {
    await people.link(owner, code);
    return null;
  } catch (error) {
    const problem = error instanceof AppError ? problems[error.code] : undefined;
    if (problem === undefined) throw error;
    return problem;
  }
}

/** Unlinks the person from all accounts. A second click says nothing. */
async function unlinkFromHome(context: SlackContext): Promise<Reply> {
  const linked = await context.people.countLinked(context.owner);
  await context.people.unlink(context.owner);
  if (linked === 0) return replyWithHome(context);
  return replyWithHome(context, { page: 0, notice: ({ t }) => t('slackHome.link.unlinked') });
}
