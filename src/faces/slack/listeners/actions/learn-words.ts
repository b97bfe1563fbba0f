import { AppError } from '../../../../errors.ts';
import type { SlackFaceDeps } from '../../deps.ts';
import { readValue } from '../../kept-state.ts';
import { changeWords, dropFilters } from '../../learn/choices.ts';
import { changeChoices, readSearch, searchAgain } from '../../learn/search-again.ts';
import type { ActionListener } from '../../listener.ts';

/** Other words to search for, where nothing was found. */
export function learnWordsListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_words_*',
    async handle(context, { value }) {
      const { token, number } = readValue(value);
      const kept = await readSearch(deps, context, token);
      const other = kept.of.waysOut?.otherWords[number];
      if (other === undefined)
        throw new AppError('PARAMETERS_INVALID', 'This button names no words of its list. Search again.');
      const change = changeChoices((choices) =>
        changeWords(other.keepsFilters ? choices : dropFilters(choices), other.words),
      );
      return searchAgain(deps, context, kept, change);
    },
  };
}
