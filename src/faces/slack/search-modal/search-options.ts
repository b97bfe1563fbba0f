import { findLanguageName } from '#faces/words/language-names';
import { limits } from '../blocks/block-kit.ts';
import { findMenuOptions, isMenuOptionValue, option } from '../blocks/menus.ts';
import { toOneLine } from '../blocks/text.ts';
import { LISTS_MS, type OptionsListener } from '../listener.ts';
import { ANY, makeFieldId } from './search-fields.ts';

const MAX_PROPOSED = 20;

/** Skills that complete what is typed, best first. */
export function searchSkillListener(): OptionsListener {
  return {
    kind: 'options',
    actionId: makeFieldId('skill'),
    async handle({ discovery }, typed) {
      const { suggestions } = await discovery.complete(typed);
      const labels = new Set(suggestions.map(({ label }) => toOneLine(label)));
      return [...labels]
        .filter(isMenuOptionValue)
        .slice(0, MAX_PROPOSED)
        .map((label) => option(label, label));
    },
  };
}

/** Languages of learning objects, named in the person's language; before anything is typed, also "any". */
export function searchLangListener(): OptionsListener {
  return {
    kind: 'options',
    actionId: makeFieldId('lang'),
    async handle({ discovery, words }, typed) {
      const [{ languages }, { t, locale }] = await Promise.all([
        discovery.lists({ timeoutMs: LISTS_MS }),
        words(),
      ]);
      const named = languages.map(({ value }) => ({ value, name: findLanguageName(value, locale) }));
      const options = findMenuOptions(named, typed, locale);
      if (typed.trim() !== '') return options;
      return [option(ANY, t('slackSearch.any.lang')), ...options].slice(0, limits.options);
    },
  };
}
