import type { SlackFaceDeps } from '../deps.ts';
import type { Listener } from '../listener.ts';
import { learnBackListener } from '../listeners/actions/learn-back.ts';
import { learnDropListener } from '../listeners/actions/learn-drop.ts';
import { learnFilterListener } from '../listeners/actions/learn-filter.ts';
import { learnHelpListener } from '../listeners/actions/learn-help.ts';
import { learnMeantListener } from '../listeners/actions/learn-meant.ts';
import { learnMenuListener } from '../listeners/actions/learn-menu.ts';
import { learnPageListener } from '../listeners/actions/learn-page.ts';
import { learnRecentListener } from '../listeners/actions/learn-recent.ts';
import { learnSaveListener, learnUnsaveListener } from '../listeners/actions/learn-save.ts';
import { learnShareListener } from '../listeners/actions/learn-share.ts';
import { learnWordsListener } from '../listeners/actions/learn-words.ts';
import { learnCommandListener } from '../listeners/commands/learn.ts';
import { learnProvidersListener } from '../listeners/options/learn-providers.ts';
import { learnFeedbackListener } from '../listeners/views/learn-feedback.ts';
import type { Learn } from './learn.ts';

/** All that `/learn`, its results and their menus answer to. */
export function learnListeners(deps: SlackFaceDeps, { learn }: { readonly learn: Learn }): Listener[] {
  return [
    learnCommandListener(deps, learn),
    learnPageListener(deps),
    learnDropListener(deps),
    learnFilterListener(deps),
    learnWordsListener(deps),
    learnMeantListener(deps),
    learnHelpListener(deps),
    learnRecentListener(deps, learn),
    learnSaveListener(deps),
    learnUnsaveListener(deps),
    learnShareListener(deps),
    learnMenuListener(deps),
    learnBackListener(deps),
    learnProvidersListener(),
    learnFeedbackListener(deps),
  ];
}
