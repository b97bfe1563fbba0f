import { noPreferences, type Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import { listProviderOptions } from '../blocks/menus.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { Learn } from '../learn/learn.ts';
import {
  LISTS_MS,
  type Listener,
  onAction,
  onSubmit,
  onTyping,
  type Reply,
  type SlackContext,
  type SlackView,
  type ViewAnswer,
} from '../listener.ts';
import { openLinkModal, submitLinkCode, unlink } from './link.ts';
import { drawPreferencesModal, readPreferences } from './preferences.ts';
import { openSearch, openSimilar, removeSavedObject, removeSavedSearch } from './saved.ts';
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

interface Erased {
  readonly objects: number;
  readonly searches: number;
  readonly preferences: Preferences;
}

function writeErased({ objects, searches, preferences }: Erased, { t, locale }: ObjectWords): string {
  const hasPreferences = JSON.stringify({ ...noPreferences, ...preferences }) !== JSON.stringify(noPreferences);
  const parts = [
    ...(objects > 0 ? [t('slackHome.data.objects', { count: objects })] : []),
    ...(searches > 0 ? [t('slackHome.data.searches', { count: searches })] : []),
    ...(hasPreferences ? [t('slackHome.data.preferences')] : []),
  ];
  if (parts.length === 0) return t('slackHome.data.nothing');
  return t('slackHome.data.cleared', { what: new Intl.ListFormat(locale).format(parts) });
}
