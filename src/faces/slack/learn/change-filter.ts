import { lengths, levels, prices } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { SlackFaceDeps } from '../deps.ts';
import { type ActionListener, LISTS_MS, type OptionsListener } from '../listener.ts';
import { changeChoices, readSearch, searchAgain } from './change-search.ts';
import { toChoiceMinutes } from './choice-names.ts';
import {
  applyChoice,
  dropChoice,
  isDroppable,
  type LearnChoices,
  type LengthName,
  type LevelName,
} from './choices.ts';
import { ANY, CHOSEN, listProviderMenuOptions, readFilterBlockToken } from './filter-menus.ts';

const FILTER = 'learn_filter_';

/** Something was chosen in the menu of a filter. */
export function learnFilterListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: `${FILTER}*`,
    async handle(context, { actionId, blockId, value }) {
      const kept = await readSearch(deps, context, readFilterBlockToken(blockId));
      const name = actionId.slice(FILTER.length);
      return searchAgain(
        deps,
        context,
        kept,
        changeChoices((choices) => changeFilter(choices, name, value)),
      );
    },
  };
}

/** The choices after something was chosen in a filter's menu; null if nothing changes.
 *  @param name of the filter, as in the menu's id. Errors: PARAMETERS_INVALID. */
export function changeFilter(choices: LearnChoices, name: string, value: string): LearnChoices | null {
  if (!isDroppable(name)) throw unknownChoice();
  if (value === ANY) return dropChoice(choices, name);
  if (!value.startsWith(CHOSEN)) return null;
  const read = readers[name];
  const chosen = read?.(value.slice(CHOSEN.length)) ?? null;
  if (chosen === null) throw unknownChoice();
  return applyChoice(choices, chosen);
}

type Reader = (value: string) => Partial<LearnChoices> | null;

const readers: Readonly<Record<string, Reader>> = {
  type: (type) => ({ types: [type] }),
  lang: (lang) => ({ lang }),
  provider: (provider) => ({ providers: [provider] }),
  level: (level) => (Object.hasOwn(levels, level) ? { levels: [level as LevelName] } : null),
  learningTime: (length) => (Object.hasOwn(lengths, length) ? toChoiceMinutes(length as LengthName) : null),
  free: (price) => {
    const known = prices.find((each) => each === price);
    return known === undefined ? null : { price: known };
  },
};

function unknownChoice(): AppError {
  return new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
}

/** Providers to choose from, while their name is typed. */
export function learnFilterProvidersListener(): OptionsListener {
  return {
    kind: 'options',
    actionId: 'learn_filter_provider',
    async handle(context, typed) {
      const [lists, words] = await Promise.all([
        context.discovery.lists({ timeoutMs: LISTS_MS }),
        context.words(),
      ]);
      return listProviderMenuOptions(lists, typed, words);
    },
  };
}
