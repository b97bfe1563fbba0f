import type { Lists } from '../../../services/discovery/discovery.ts';
import type { ObjectWords } from '../../object-view/facts.ts';
import type { PlainTextOption } from '../blocks/block-kit.ts';
import { limits } from '../blocks/elements.ts';
import { matchingOptions } from '../blocks/matching-options.ts';
import { externalSelect, isOptionValue, option } from '../blocks/menus.ts';
import type { LearnChoices } from './choices.ts';
import { ANY, AS_IT_IS, CHOSEN } from './menu-values.ts';
import { choiceName } from './names.ts';

type Providers = Pick<Lists, 'providers'>;

/** There are too many for a menu: they are offered while somebody types. */
export function providerMenu(choices: LearnChoices, lists: Providers, words: ObjectWords) {
  const name = choiceName('provider', choices, { words, lists });
  const [first = '', ...others] = choices.providers;
  const value = others.length === 0 && isOptionValue(CHOSEN + first) ? CHOSEN + first : AS_IT_IS;
  return externalSelect({
    actionId: 'learn_filter_provider',
    placeholder: words.t('slackLearn.menus.provider'),
    chosen: name === null ? anyProvider(words) : option(value, name),
  });
}

/** Providers whose name has what is typed. */
export function providerOptions(lists: Providers, typed: string, words: ObjectWords): PlainTextOption[] {
  const named = lists.providers.map(({ id, name }) => ({ value: CHOSEN + id, name }));
  const options = matchingOptions(named, typed, words.locale);
  return [...(typed.trim() === '' ? [anyProvider(words)] : []), ...options].slice(0, limits.options);
}

const anyProvider = ({ t }: ObjectWords): PlainTextOption => option(ANY, t('slackLearn.any.provider'));
