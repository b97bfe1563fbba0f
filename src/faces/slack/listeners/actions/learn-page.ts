import type { SlackFaceDeps } from '../../deps.ts';
import { readValue } from '../../kept-state.ts';
import { isSame, readSearch, searchAgain } from '../../learn/search-again.ts';
import type { ActionListener } from '../../listener.ts';

/** The page before or after, in place. */
export function learnPageListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_page_*',
    async handle(context, { value }) {
      const { token, number: page } = readValue(value);
      const kept = await readSearch(deps, context, token);
      // Of a search that was changed meanwhile nobody knows that page yet.
      return searchAgain(deps, context, kept, (newest) =>
        isSame(newest.choices, kept.of.choices) ? { ...newest, page } : newest,
      );
    },
  };
}
