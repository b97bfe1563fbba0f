import { AppError } from '../../../../errors.ts';
import type { SlackFaceDeps } from '../../deps.ts';
import { readValue } from '../../kept-state.ts';
import { chooseMeant } from '../../learn/choices.ts';
import { changeChoices, readSearch, searchAgain } from '../../learn/search-again.ts';
import type { ActionListener } from '../../listener.ts';

/** The filter that was meant by what was mistyped. */
export function learnMeantListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_meant_*',
    async handle(context, { value }) {
      const { token, number } = readValue(value);
      const kept = await readSearch(deps, context, token);
      const meant = kept.of.choices.meant[number];
      if (meant === undefined)
        throw new AppError('PARAMETERS_INVALID', 'This button names no filter of its list. Search again.');
      const change = changeChoices((choices) => chooseMeant(choices, meant));
      return searchAgain(deps, context, kept, change);
    },
  };
}
