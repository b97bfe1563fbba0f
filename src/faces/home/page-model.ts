import type { Provider } from '#domain/catalog';
import { MAX_WORDS_LENGTH, type WishKind } from '#domain/learning-object-query';
import type { PictureLinks } from '#domain/picture';
import type { Facets } from '#ports/learning-service';
import type { ObjectWords } from '../object-view/facts.ts';
import { chooseLogos } from '../object-view/logos.ts';
import { toFiltersView } from '../search-view/filters.ts';
import { emptyForm, type SearchForm } from '../search-view/search-form.ts';
import type { Locale } from '../words/i18n.ts';
import type { HomeFaceDeps } from './deps.ts';
import { drawLogo } from './logos.ts';
import {
  homeDefaults,
  LISTS_MS,
  searchAddressWriter,
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

export interface Reader extends ObjectWords {
  readonly locale: Locale;
  readonly pictures: PictureLinks;
  /** Path and query to come back to from a change of the language. */
  readonly here: string;
  isAdministrator(): Promise<boolean>;
  readonly signal: AbortSignal;
}

/** What `views/home.eta` shows whether or not there was a search. */
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
    addressOfWords: searchAddressWriter((q) => writeAddress(form, { q })),
    resetHref: writeAddress(emptyForm, { q: form.q }),
    addressOfWordsAlone: (q: string) => writeAddress(emptyForm, { q }),
    addressWithoutWish: (kind: WishKind) => writeAddress(form, { without: [...form.without, kind] }),
    addressWithout: (fields: string) => writeWiderSearchAddress(form, fields),
    maxWordsLength: MAX_WORDS_LENGTH,
  };
}

/** The logos of a provider for each background, or a drawing that becomes part of the page. */
export function toPageLogo({ id, name, logos }: Provider, pictures: PictureLinks) {
  const wide = logos.filter(({ aspectRatio }) => aspectRatio === 'landscape');
  // A logo for a light page is often unreadable on a dark one; its name is not.
  const isForBoth = new Set(wide.map(({ colorScheme }) => colorScheme)).size === 2;
  const logo = isForBoth ? chooseLogos(wide, 'landscape', pictures) : null;
  if (!logo?.light.startsWith('/logos/')) return { id, name, drawing: null, logo };
  // The page has a hundred of them, which would be as many requests.
  return { id, name, drawing: drawLogo({ name, colorScheme: 'both', aspectRatio: 'landscape' }), logo: null };
}
