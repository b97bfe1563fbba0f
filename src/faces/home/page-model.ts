import { listAssistantSetups } from '#domain/assistants';
import type { Logo, Provider } from '#domain/catalog';
import { MAX_WORDS_LENGTH, type WishKind } from '#domain/learning-object-query';
import type { PictureLinks } from '#domain/picture';
import { MAX_TEXT_LENGTH } from '#domain/text';
import type { Facets } from '#ports/learning-service';
import type { ObjectWords } from '../object-view/facts.ts';
import { toFiltersView } from '../search-view/filters.ts';
import { emptyForm, type SearchForm } from '../search-view/search-form.ts';
import type { Locale } from '../words/i18n.ts';
import type { FaceState, HomeFaceDeps } from './deps.ts';
import { drawLogo } from './logos.ts';
import { homeDefaults, writeAddress, writeWiderSearchAddress } from './search-address.ts';

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

/** The page does not wait longer for the lists of choices. */
const LISTS_MS = 1_500;

/** Who looks at a page, and where. */
export interface Reader extends ObjectWords {
  readonly locale: Locale;
  readonly pictures: PictureLinks;
  /** Path and query to come back to from a change of the language. */
  readonly here: string;
  isAdministrator(): Promise<boolean>;
  /** Aborted when nobody waits for the page any more. */
  readonly signal: AbortSignal;
}

/** What `views/home.eta` shows whether or not there was a search. */
export async function readPageModel(
  { discovery, publicUrl, demoKey, demoPath, faces, sizes }: HomeFaceDeps,
  form: SearchForm,
  { t, locale, pictures, here, signal, isAdministrator }: Reader,
) {
  const [lists, sizesNow, facesNow, isAdmin] = await Promise.all([
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
    sizes(),
    faces(),
    isAdministrator(),
  ]);
  const filtersOf = (counts?: Facets) =>
    toFiltersView(lists, {
      ...{ t, locale, form, defaults: homeDefaults },
      ...(counts && { counts: { ...counts } }),
    });
  const byName = (a: Provider, b: Provider) => a.name.localeCompare(b.name, locale);
  return {
    t,
    locale,
    here,
    form,
    publicUrl,
    demoKey,
    demoPath,
    setups: listAssistantSetups(publicUrl),
    ways: facesNow.map((face) => toWay(face, isAdmin)),
    sizes: sizesNow,
    number: (value: number) => value.toLocaleString(locale),
    lists,
    /** Results have none beside them. */
    logos: form.q === '' ? lists.providers.toSorted(byName).map((each) => toPageLogo(each, pictures)) : [],
    filters: filtersOf(),
    /** With how many objects each choice leaves. */
    filtersOf,
    examples: examples[locale],
    addressOf: (changes: Partial<SearchForm>) => writeAddress(form, changes),
    addressOfWords: (q: string) => writeAddress(form, { q }),
    resetHref: writeAddress(emptyForm, { q: form.q }),
    addressOfWordsAlone: (q: string) => writeAddress(emptyForm, { q }),
    addressWithoutWish: (kind: WishKind) => writeAddress(form, { without: [...form.without, kind] }),
    addressWithout: (fields: string) => writeWiderSearchAddress(form, fields),
    maxWordsLength: MAX_WORDS_LENGTH,
    maxTextLength: MAX_TEXT_LENGTH,
  };
}

/** A way to use Skilldock as a card shows it: where its button leads, and which guide tells more.
 *  What an administrator has to set up is named to nobody else. */
function toWay({ id, isOn, href }: FaceState, isAdmin: boolean) {
  const guide = { lti: 'lti', slack: 'slack', api: 'api', admin: 'admin', demoCourse: null, demoChat: null }[id];
  const state = isOn ? 'on' : isAdmin ? 'setUp' : 'off';
  const guidePath = guide === null ? null : `/docs/guides/${guide}`;
  return state === 'off'
    ? { id, isOn, state, href: guidePath ?? href, guide: null }
    : { id, isOn, state, href, guide: guidePath };
}

/** The wide logos of a provider, where there is one for each background; a logo that this host
 *  draws becomes part of the page. With neither, the name is shown. */
export function toPageLogo({ id, name, logos }: Provider, pictures: PictureLinks) {
  const find = (scheme: Logo['colorScheme']) => {
    const logo = logos.find((each) => each.colorScheme === scheme && each.aspectRatio === 'landscape');
    return (logo && pictures.linkToStored(logo.url)?.small) ?? null;
  };
  const [light, dark] = [find('light'), find('dark')];
  if (light === null || dark === null) return { id, name, drawing: null, logo: null };
  if (!light.startsWith('/logos/')) return { id, name, drawing: null, logo: { light, dark } };
  // The page has a hundred of them, which would be as many requests.
  return { id, name, drawing: drawLogo({ name, colorScheme: 'both', aspectRatio: 'landscape' }), logo: null };
}
