import { noPreferences, type Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import { createProviderMenuListener } from '../blocks/menus.ts';
import type { Learn } from '../learn/learn.ts';
import type { ActionListener, Listener } from '../listener.ts';
import type { HomeActionDeps, HomeDeps } from './home-model.ts';
import { homeLinkCodeListener, homeLinkListener, homeUnlinkListener } from './link.ts';
import { homePreferencesListener, homePreferencesSaveListener } from './preferences.ts';
import { homeRemoveListener, homeSimilarListener } from './saved-objects.ts';
import { homeSearchListener, homeSearchRemoveListener } from './searches.ts';
import { homePageListener, showHome, showHomeListener } from './show-home.ts';

/** The app's own page: what somebody saved, searched and prefers, and how to erase it. */
export function homeListeners(deps: HomeActionDeps, learn: Pick<Learn, 'search'>): Listener[] {
  return [
    showHomeListener(deps),
    homePageListener(deps),
    homeSimilarListener(deps),
    homeRemoveListener(deps),
    homeSearchListener(deps, learn),
    homeSearchRemoveListener(deps),
    homePreferencesListener(deps),
    homePreferencesSaveListener(deps),
    createProviderMenuListener('home_providers'),
    homeLinkListener(deps),
    homeLinkCodeListener(deps),
    homeUnlinkListener(deps),
    homeForgetListener(deps),
  ];
}

/** Says what was erased, in the language of Slack: a preference for another one is erased, too. */
function homeForgetListener(deps: HomeDeps): ActionListener {
  const { people } = deps;
  return {
    kind: 'action',
    actionId: 'home_forget',
    async handle(context) {
      const [preferences, searches, saved] = await Promise.all([
        people.getPreferences(context.owner),
        people.listSearches(context.owner),
        people.listSavedSearches(context.owner),
      ]);
      const objects = await people.forget(context.owner);
      const erased = {
        objects,
        searches: new Set([...saved, ...searches.map(({ text }) => text)]).size,
        preferences,
      };
      await showHome(deps, context, {
        page: 0,
        preferences: noPreferences,
        notice: (words) => erasedText(erased, words),
      });
      return { kind: 'done' };
    },
  };
}

interface Erased {
  /** How many were saved. */
  readonly objects: number;
  /** How many were saved or remembered. */
  readonly searches: number;
  readonly preferences: Preferences;
}

function erasedText({ objects, searches, preferences }: Erased, { t, locale }: ObjectWords): string {
  const what = [
    ...(objects > 0 ? [t('slackHome.data.objects', { count: objects })] : []),
    ...(searches > 0 ? [t('slackHome.data.searches', { count: searches })] : []),
    ...(hasAny(preferences) ? [t('slackHome.data.preferences')] : []),
  ];
  if (what.length === 0) return t('slackHome.data.nothing');
  return t('slackHome.data.cleared', { what: new Intl.ListFormat(locale).format(what) });
}

const hasAny = (preferences: Preferences): boolean =>
  JSON.stringify({ ...noPreferences, ...preferences }) !== JSON.stringify(noPreferences);
