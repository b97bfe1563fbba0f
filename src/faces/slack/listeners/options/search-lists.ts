import type { Lists } from '../../../../services/discovery.ts';
import { languageName } from '../../../words/language-names.ts';
import type { PlainTextOption } from '../../blocks/block-kit.ts';
import { limits } from '../../blocks/elements.ts';
import { matchingOptions, type NamedValue } from '../../blocks/matching-options.ts';
import { option } from '../../blocks/menus.ts';
import type { OptionsListener, SlackContext } from '../../listener.ts';
import { LISTS_MS } from '../../request-limits.ts';
import { ANY, fieldId } from '../../search-modal/search-fields.ts';

/** Languages of learning objects, as the person calls them; before anything is typed, any of them as well. */
export function searchLangListener(): OptionsListener {
  const valuesOf = ({ languages }: Lists, locale: string) =>
    languages.map(({ value }) => ({ value, name: languageName(value, locale) }));
  return {
    kind: 'options',
    actionId: fieldId('lang'),
    async handle(context, typed) {
      const options = await findOptions(context, typed, valuesOf);
      if (typed.trim() !== '') return options;
      const { t } = await context.words();
      return [option(ANY, t('slackSearch.any.lang')), ...options].slice(0, limits.options);
    },
  };
}

/** Providers whose name has what is typed. */
export function searchProviderListener(): OptionsListener {
  const valuesOf = ({ providers }: Lists) => providers.map(({ id, name }) => ({ value: id, name }));
  return {
    kind: 'options',
    actionId: fieldId('provider'),
    handle: (context, typed) => findOptions(context, typed, valuesOf),
  };
}

async function findOptions(
  { discovery, words }: SlackContext,
  typed: string,
  valuesOf: (lists: Lists, locale: string) => readonly NamedValue[],
): Promise<PlainTextOption[]> {
  const [lists, { locale }] = await Promise.all([discovery.lists({ timeoutMs: LISTS_MS }), words()]);
  return matchingOptions(valuesOf(lists, locale), typed, locale);
}
