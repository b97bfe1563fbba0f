import { expect, test } from 'vitest';
import { locales } from '../../../src/domain/person.ts';
import { initialDefaults } from '../../../src/domain/tenant.ts';
import { toFiltersView } from '../../../src/faces/search-view/filters.ts';
import { emptyForm } from '../../../src/faces/search-view/search-form.ts';
import { readLanguages } from '../../../src/faces/words/i18n.ts';

const entries = (...values: string[]) => values.map((value) => ({ value, description: value }));
const lists = {
  providers: ['Zebra', 'élan', 'Echo', 'ähnlich'].map((name) => ({ id: name, name, url: '', logos: [] })),
  types: entries('video', 'mooc', 'book', 'article'),
  languages: entries('fr', 'de', 'en', 'es'),
  blooms: entries('Apply'),
  missing: [],
};
const languages = readLanguages();

test('choices of the same lists are in the order of each language, whichever tenant asked before', () => {
  const two = { ...initialDefaults, providers: ['Zebra', 'Echo'] };
  for (const defaults of [initialDefaults, two, initialDefaults]) {
    for (const locale of [...locales, ...locales]) {
      const scope = { t: languages.translatorOf(locale), locale, form: emptyForm, defaults };
      const { selects } = toFiltersView(lists, scope);
      for (const name of ['type', 'lang', 'provider']) {
        const names = selects.find((select) => select.name === name)!.choices.map((choice) => choice.name);
        expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, locale)));
        expect(names).toHaveLength(name === 'provider' && defaults === two ? 5 : 4);
      }
    }
  }
});
