import type { FilterToDrop } from '../../../services/discovery/discovery.ts';
import type { ObjectWords } from '../../object-view/facts.ts';
import type { KnownBlock } from '../blocks/block-kit.ts';
import { actions, button, context, section } from '../blocks/elements.ts';
import { isDroppable } from './choices.ts';
import type { WaysOutShown } from './state.ts';

/** What to do where nothing is found: other words, and filters to drop. */
export function nothingBlocks(
  { otherWords, filters, withoutFilters }: WaysOutShown,
  token: string,
  words: ObjectWords,
): KnownBlock[] {
  const { t } = words;
  const others = otherWords.map((other, number) =>
    button({
      actionId: `learn_words_${number}`,
      text: other.keepsFilters ? other.words : t('slackLearn.wordsWithoutFilters', { words: other.words }),
      value: `${token}:${number}`,
    }),
  );
  const wider = [
    ...filters
      .filter(({ filter }) => isDroppable(filter))
      .map((way) => dropButton({ ...way, name: way.filter }, token, words)),
    ...(withoutFilters === null ? [] : [dropButton({ ...withoutFilters, name: 'all' }, token, words)]),
  ];
  return [
    ...(others.length > 0 ? [section(t('picker.nothing.otherWords')), actions(others)] : []),
    ...(wider.length > 0 ? [section(t('picker.nothing.wider')), actions(wider)] : []),
    context(t('picker.nothing.hint')),
    // The form begins with what was searched for.
    actions([
      button({ actionId: 'search_open', text: t('slackLearn.help.search'), value: token }),
      button({ actionId: 'learn_help', text: t('slackLearn.nothing.help'), value: '-' }),
    ]),
  ];
}

type Way = Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> & { readonly name: string };

/** With how much it finds, where that is known for sure. */
function dropButton({ name, totalItems, isTotalExact }: Way, token: string, { t, locale }: ObjectWords) {
  const howMuch = isTotalExact ? ` (${totalItems.toLocaleString(locale)})` : '';
  // The chips above have the same buttons; ids are of a row.
  const isOfWords = name === 'excluded' || name === 'phrases';
  const text = isOfWords ? t(`slackLearn.wider.${name}`) : t(`picker.wider.${name}`);
  return button({ actionId: `learn_drop_${name}`, text: text + howMuch, value: token });
}
