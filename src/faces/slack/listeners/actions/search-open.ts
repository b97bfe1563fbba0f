import type { ActionListener } from '../../listener.ts';
import { openSearch, type SearchDeps } from '../../search-modal/open-search.ts';

/** A button that opens the search form. */
export function searchOpenListener(deps: SearchDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'search_open',
    handle: (context, { value }) => openSearch(deps, context, value),
  };
}
