import type { LearningObject } from '#domain/learning-object';
import { noPreferences, type Preferences } from '#domain/person';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import type { ShelfOwner } from '#ports/store/store';
import type { LinkCode } from '#services/people/people';
import { divider, input, type ModalView, section, smallText } from '../blocks/block-kit.ts';
import { listProviderOptions } from '../blocks/menus.ts';
import { drawModal, showWaitingModal } from '../blocks/messages.ts';
import { escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { Learn } from '../learn/learn.ts';
import { showSimilar } from '../learn/object-actions.ts';
import {
  LISTS_MS,
  type Listener,
  onAction,
  onSubmit,
  onTyping,
  type Reply,
  readField,
  refuseField,
  type SlackContext,
  type SlackView,
  type ViewAnswer,
} from '../listener.ts';
import { digestText } from './home-view.ts';
import { drawPreferencesModal, readPreferences } from './preferences.ts';
import { type HomeDeps, readPageNumber, replyWithHome, showHome } from './show-home.ts';

export function homeListeners(
  deps: HomeDeps & Pick<SlackFaceDeps, 'tenants' | 'savedStates'>,
  learn: Pick<Learn, 'search'>,
): Listener[] {
  return [
    {
      kind: 'home',
      handle: (context, text) => showHome(deps, context, text === undefined ? {} : { notice: () => text }),
    },
    onAction('home_page_*', (context, { value }) => replyWithHome(deps, context, { page: readPageNumber(value) })),
    onAction('home_similar', (context, { value }) => openSimilar(deps, context, value)),
    onAction('home_remove', (context, { value }) => removeSavedObject(deps, context, value)),
    onAction('home_search', (context, { value }) => openSearch(deps, learn, context, value)),
    onAction('home_search_remove', (context, { value }) => removeSavedSearch(deps, context, value)),
    onAction('home_preferences', (context) => openPreferences(deps, context)),
    onSubmit('home_preferences_save', (context, view) => savePreferences(deps, context, view)),
    onTyping('home_providers', listProviderOptions),
    onAction('home_link', (context) => openLinkModal(deps, context)),
    onSubmit('home_link_code', (context, view) => submitLinkCode(deps, context, view)),
    onAction('home_unlink', (context) => unlink(deps, context)),
    onAction('home_forget', (context) => forgetPerson(deps, context)),
  ];
}

async function openPreferences({ people }: HomeDeps, { owner, discovery, words }: SlackContext): Promise<Reply> {
  const [preferences, lists, reader] = await Promise.all([
    people.getPreferences(owner),
    discovery.lists({ timeoutMs: LISTS_MS }),
    words(),
  ]);
  return { kind: 'modal', view: drawPreferencesModal(preferences, lists, reader) };
}

async function savePreferences(deps: HomeDeps, context: SlackContext, { values }: SlackView): Promise<ViewAnswer> {
  const preferences = readPreferences(values);
  await deps.people.changePreferences(context.owner, preferences);
  const notice = ({ t }: ObjectWords) => t('slackHome.preferences.saved');
  const afterwards = () => replyWithHome(deps, context, { preferences, notice });
  return { show: { kind: 'close' }, afterwards };
}

/** Erases all of a person, and answers in Slack's language: the preference is gone, too. */
async function forgetPerson(deps: HomeDeps, context: SlackContext): Promise<Reply> {
  const { people } = deps;
  const { owner } = context;
  const [preferences, recent, saved] = await Promise.all([
    people.getPreferences(owner),
    people.listSearches(owner),
    people.listSavedSearches(owner),
  ]);
  const objects = await people.forget(owner);
  const searches = new Set([...saved, ...recent.map(({ text }) => text)]).size;
  return replyWithHome(deps, context, {
    page: 0,
    preferences: noPreferences,
    notice: (words) => writeErased({ objects, searches, preferences }, words),
  });
}

function writeErased(
  { objects, searches, preferences }: { objects: number; searches: number; preferences: Preferences },
  { t, locale }: ObjectWords,
): string {
  const hasPreferences = JSON.stringify({ ...noPreferences, ...preferences }) !== JSON.stringify(noPreferences);
  const parts = [
    ...(objects > 0 ? [t('slackHome.data.objects', { count: objects })] : []),
    ...(searches > 0 ? [t('slackHome.data.searches', { count: searches })] : []),
    ...(hasPreferences ? [t('slackHome.data.preferences')] : []),
  ];
  if (parts.length === 0) return t('slackHome.data.nothing');
  return t('slackHome.data.cleared', { what: new Intl.ListFormat(locale).format(parts) });
}

async function openSimilar(
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
async function removeSavedObject(deps: HomeDeps, context: SlackContext, digest: string): Promise<Reply> {
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

async function openSearch(
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
async function removeSavedSearch(deps: HomeDeps, context: SlackContext, digest: string): Promise<Reply> {
  const searches = await deps.people.listSavedSearches(context.owner);
  const search = searches.find((text) => digestText(text) === digest);
  if (search === undefined) return replyWithHome(deps, context);
  await deps.people.removeSavedSearch(context.owner, search);
  const title = escapeMrkdwn(toOneLine(search));
  return replyWithHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
}

/** Block id and action id of the code that is typed. */
const CODE_FIELD = 'home_link_code';

const openLinkModal = async ({ people }: HomeDeps, { owner, words }: SlackContext): Promise<Reply> => ({
  kind: 'modal',
  view: linkModal(await people.createLinkCode(owner), await words()),
});

function linkModal({ code, expiresAt }: LinkCode, words: ObjectWords): ModalView {
  const { t } = words;
  const blocks = [
    section(t('slackHome.link.give')),
    section(`*${code}*`),
    smallText(t('slackHome.link.valid', { time: timeOf(expiresAt) })),
    divider,
    input({
      id: CODE_FIELD,
      label: t('slackHome.link.take'),
      hint: t('slackHome.link.takeHint'),
      element: { type: 'plain_text_input', max_length: 40 },
    }),
  ];
  return drawModal({
    title: t('slackHome.link.short'),
    submit: t('slackHome.link.submit'),
    close: t('slackHome.link.close'),
    callbackId: 'home_link_code',
    blocks,
  });
}

/** Slack shows it in the reader's time zone; the fallback is in UTC. */
function timeOf(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `<!date^${seconds}^{time}|${at.toISOString().slice(11, 16)} UTC>`;
}

/** What can be wrong with a code, and the text beside its field. */
const problems: Readonly<Record<string, string>> = {
  LINK_CODE_INVALID: 'slackHome.link.invalid',
  LINK_CODE_THROTTLED: 'slackHome.link.throttled',
  SHELF_FULL: 'slackHome.link.full',
};

async function submitLinkCode(deps: HomeDeps, context: SlackContext, { values }: SlackView): Promise<ViewAnswer> {
  const code = readField(values, CODE_FIELD)?.value?.trim() ?? '';
  const problem = code === '' ? 'slackHome.link.empty' : await link(deps, context, code);
  const { t } = await context.words();
  if (problem !== null) return refuseField(CODE_FIELD, t(problem));
  const view = drawModal({
    title: t('slackHome.link.short'),
    close: t('slackHome.link.close'),
    callbackId: 'home_linked',
    blocks: [section(t('slackHome.link.done'))],
  });
  return { show: { kind: 'update', view }, afterwards: () => replyWithHome(deps, context) };
}

/** @returns what is wrong with the code; null where both are linked now */
async function link({ people }: HomeDeps, { owner }: SlackContext, code: string): Promise<string | null> {
  try {
    await people.link(owner, code);
    return null;
  } catch (error) {
    const problem = error instanceof AppError ? problems[error.code] : undefined;
    if (problem === undefined) throw error;
    return problem;
  }
}

/** A second click must not say that something was unlinked. */
async function unlink(deps: HomeDeps, context: SlackContext): Promise<Reply> {
  const linked = await deps.people.countLinked(context.owner);
  await deps.people.unlink(context.owner);
  if (linked === 0) return replyWithHome(deps, context);
  return replyWithHome(deps, context, { page: 0, notice: ({ t }) => t('slackHome.link.unlinked') });
}
