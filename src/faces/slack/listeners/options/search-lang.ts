import { languageName } from '../../../words/language-names.ts';
import { limits } from '../../blocks/block-kit.ts';
import { matchingOptions, option } from '../../blocks/menus.ts';
import type { OptionsListener } from '../../listener.ts';
import { LISTS_MS } from '../../request-limits.ts';
import { ANY, fieldId } from '../../search-modal/search-fields.ts';

/** Languages of learning objects, as the person calls them; before anything is typed, any of them as well. */
export function searchLangListener(): OptionsListener {
  return {
    kind: 'options',
    actionId: fieldId('lang'),
    async handle({ discovery, words }, typed) {
      const [{ languages }, { t, locale }] = await Promise.all([
        discovery.lists({ timeoutMs: LISTS_MS }),
        words(),
      ]);
      const named = languages.map(({ value }) => ({ value, name: languageName(value, locale) }));
      const options = matchingOptions(named, typed, locale);
      if (typed.trim() !== '') return options;
      return [option(ANY, t('slackSearch.any.lang')), ...options].slice(0, limits.options);
    },
  };
}
