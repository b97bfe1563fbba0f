import type { SlackFaceDeps } from '../../deps.ts';
import { changeFilter } from '../../learn/change-filter.ts';
import { tokenOfBlock } from '../../learn/menu-values.ts';
import { changeChoices, readSearch, searchAgain } from '../../learn/search-again.ts';
import type { ActionListener } from '../../listener.ts';

const PREFIX = 'learn_filter_';

/** Something was chosen in the menu of a filter. */
export function learnFilterListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: `${PREFIX}*`,
    async handle(context, { actionId, blockId, value }) {
      const kept = await readSearch(deps, context, tokenOfBlock(blockId));
      const name = actionId.slice(PREFIX.length);
      return searchAgain(
        deps,
        context,
        kept,
        changeChoices((choices) => changeFilter(choices, name, value)),
      );
    },
  };
}
