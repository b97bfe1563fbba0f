import type { Listener } from '../listener.ts';
import { searchOpenListener } from '../listeners/actions/search-open.ts';
import { searchLangListener, searchProviderListener } from '../listeners/options/search-lists.ts';
import { searchSkillListener } from '../listeners/options/search-skill.ts';
import { searchLearningListener } from '../listeners/shortcuts/search-learning.ts';
import { searchFormListener } from '../listeners/views/search-form.ts';
import type { SearchDeps } from './open-search.ts';

/** The search form, wherever it is opened. */
export function searchListeners(deps: SearchDeps): Listener[] {
  return [
    searchOpenListener(deps),
    searchLearningListener(deps),
    searchFormListener(deps),
    searchSkillListener(),
    searchProviderListener(),
    searchLangListener(),
  ];
}
