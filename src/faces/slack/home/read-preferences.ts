import { levels } from '../../../domain/learning-object-query.ts';
import type { Preferences } from '../../../domain/person.ts';
import { locales } from '../../words/i18n.ts';
import type { ViewValue, ViewValues } from '../listener.ts';
import { pageSizes } from './preferences-choices.ts';
import { fieldId } from './preferences-modal.ts';

/** What was chosen in the form of preferences; whatever is none of the choices is no preference. */
export function readPreferences(values: ViewValues): Preferences {
  return {
    locale: locales.find((code) => code === one('locale')) ?? null,
    lang: /^[a-z]{2}$/.test(one('lang')) ? one('lang') : null,
    level: (Object.keys(levels) as (keyof typeof levels)[]).find((name) => name === one('level')) ?? null,
    types: several('types'),
    providers: several('providers'),
    itemsPerPage: pageSizes.find((size) => String(size) === one('itemsPerPage')) ?? null,
  };

  function one(name: keyof Preferences): string {
    return field(name)?.selected_option?.value ?? '';
  }

  function several(name: keyof Preferences): readonly string[] {
    return field(name)?.selected_options?.map(({ value }) => value) ?? [];
  }

  function field(name: keyof Preferences): ViewValue | undefined {
    return values[fieldId(name)]?.[fieldId(name)];
  }
}
