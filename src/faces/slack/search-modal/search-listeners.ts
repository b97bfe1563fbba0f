import type { Listener } from '../listener.ts';
import { searchOpenListener } from '../listeners/actions/search-open.ts';
import { providersListener } from '../listeners/options/providers.ts';
import { searchLangListener } from '../listeners/options/search-lang.ts';
import { searchSkillListener } from '../listeners/options/search-skill.ts';
import { searchLearningListener } from '../listeners/shortcuts/search-learning.ts';
import { searchFormListener } from '../listeners/views/search-form.ts';
import type { SearchDeps } from './open-search.ts';
import { fieldId } from './search-fields.ts';

/** The search form, wherever it is opened. */
export function searchListeners(deps: SearchDeps): Listener[] {
  return [
    searchOpenListener(deps),
    searchLearningListener(deps),
    searchFormListener(deps),
    searchSkillListener(),
    providersListener(fieldId('provider')),
    searchLangListener(),
  ];
}
