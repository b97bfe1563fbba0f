import type { Learn } from '../learn/learn.ts';
import type { Listener } from '../listener.ts';
import { homeForgetListener } from '../listeners/actions/home-forget.ts';
import { homeLinkListener } from '../listeners/actions/home-link.ts';
import { homePageListener } from '../listeners/actions/home-page.ts';
import { homePreferencesListener } from '../listeners/actions/home-preferences.ts';
import { homeRemoveListener } from '../listeners/actions/home-remove.ts';
import { homeSearchListener } from '../listeners/actions/home-search.ts';
import { homeSearchRemoveListener } from '../listeners/actions/home-search-remove.ts';
import { homeSimilarListener } from '../listeners/actions/home-similar.ts';
import { homeUnlinkListener } from '../listeners/actions/home-unlink.ts';
import { homeOpenedListener } from '../listeners/events/home-opened.ts';
import { providersListener } from '../listeners/options/providers.ts';
import { homeLinkCodeListener } from '../listeners/views/home-link-code.ts';
import { homePreferencesSaveListener } from '../listeners/views/home-preferences-save.ts';
import type { HomeActionDeps } from './home-deps.ts';

/** The app's own page: what somebody saved, searched and prefers, and how to erase it. */
export function homeListeners(
  deps: HomeActionDeps,
  parts: { readonly learn: Pick<Learn, 'search'> },
): Listener[] {
  return [
    homeOpenedListener(deps),
    homePageListener(deps),
    homeSimilarListener(deps),
    homeRemoveListener(deps),
    homeSearchListener(deps, parts),
    homeSearchRemoveListener(deps),
    homePreferencesListener(deps),
    homePreferencesSaveListener(deps),
    providersListener('home_providers'),
    homeLinkListener(deps),
    homeLinkCodeListener(deps),
    homeUnlinkListener(deps),
    homeForgetListener(deps),
  ];
}
