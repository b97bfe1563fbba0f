import type { ShortcutListener } from '../../listener.ts';
import { openSearch, type SearchDeps } from '../../search-modal/open-search.ts';

/** The search form, from anywhere in Slack. */
export function searchLearningListener(deps: SearchDeps): ShortcutListener {
  return {
    kind: 'shortcut',
    callbackId: 'search_learning',
    handle: (context) => openSearch(deps, context, ''),
  };
}
