import type { SlackFaceDeps } from '../../deps.ts';
import { dropChoice, dropFilters, dropValue, isDroppable, valuesOf } from '../../learn/choices.ts';
import { changeChoices, readSearch, searchAgain } from '../../learn/search-again.ts';
import type { ActionListener } from '../../listener.ts';

const PREFIX = 'learn_drop_';

/** Takes a filter away, one value of it (`learn_drop_type_2`), or all of them: a chip, or a way out where nothing is found. */
export function learnDropListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: `${PREFIX}*`,
    async handle(context, { actionId, value: token }) {
      const kept = await readSearch(deps, context, token);
      const [name = '', number] = actionId.slice(PREFIX.length).split('_');
      if (!isDroppable(name)) return searchAgain(deps, context, kept, changeChoices(dropFilters));
      const value = number === undefined ? undefined : valuesOf(kept.of.choices, name)?.[Number(number)];
      const change = changeChoices((choices) =>
        value === undefined ? dropChoice(choices, name) : dropValue(choices, name, value),
      );
      return searchAgain(deps, context, kept, change);
    },
  };
}
