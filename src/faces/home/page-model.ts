import { MAX_WORDS_LENGTH, type WishKind } from '#domain/learning-object-query';
import type { Facets } from '#ports/learning-service';
import { toFiltersView } from '../search-view/filters.ts';
import { emptyForm, type SearchForm } from '../search-view/search-form.ts';
import type { Locale } from '../words/i18n.ts';
import type { HomeFaceDeps } from './deps.ts';
import type { Reader } from './pages.ts';
import {
  createAddressWriter,
  homeDefaults,
  LISTS_MS,
  writeAddress,
  writeWiderSearchAddress,
} from './search-address.ts';

const examples: Readonly<Record<Locale, readonly string[]>> = {
  en: ['data analysis', 'first aid', 'Python', 'développement web', 'project management', 'español', 'chemical safety'],
  fr: [
    'analyse de données',
    'premiers secours',
    'Python',
    'développement web',
    'gestion de projet',
    'español',
    'sécurité au travail',
  ],
  de: ['Datenanalyse', 'Erste Hilfe', 'Python', 'Webentwicklung', 'Projektmanagement', 'español', 'Arbeitssicherheit'],
  es: [
    'análisis de datos',
    'primeros auxilios',
    'Python',
    'desarrollo web',
    'gestión de proyectos',
    'français',
    'seguridad laboral',
  ],
};

/** Reads the part of the model of `views/home.eta` that does not depend on results. */
export async function readPageModel(deps: HomeFaceDeps, form: SearchForm, { t, locale, here, signal }: Reader) {
  const { discovery, demoPath, sizes } = deps;
  const [lists, sizesNow] = await Promise.all([discovery.lists({ signal, timeoutMs: LISTS_MS }), sizes()]);
  const filtersOf = (counts?: Facets) =>
    toFiltersView(lists, { t, locale, form, defaults: homeDefaults, ...(counts && { counts: { ...counts } }) });
  return {
    t,
    locale,
    here,
    form,
    demoPath,
    sizes: sizesNow,
    number: (value: number) => value.toLocaleString(locale),
    lists,
    filtersOf,
    examples: examples[locale],
    addressOf: (changes: Partial<SearchForm>) => writeAddress(form, changes),
    addressOfWords: createAddressWriter((q) => writeAddress(form, { q })),
    resetHref: writeAddress(emptyForm, { q: form.q }),
    addressOfWordsAlone: (q: string) => writeAddress(emptyForm, { q }),
    addressWithoutWish: (kind: WishKind) => writeAddress(form, { without: [...form.without, kind] }),
    addressWithout: (fields: string) => writeWiderSearchAddress(form, fields),
    maxWordsLength: MAX_WORDS_LENGTH,
  };
}
