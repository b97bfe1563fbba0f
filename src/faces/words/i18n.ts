import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInstance, type i18n } from 'i18next';
import { type Locale, locales } from '#domain/person';
import { projectRoot } from '#project-root';

export { type Locale, locales };

export const localeNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
};

/** Gives the text of a key, with `{{values}}` filled in and the plural of `count`.
 *  @example t('search.count', { count: 3, total: '3', words: 'docker' }) */
export type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string;

export interface Languages {
  translatorOf(locale: Locale): Translate;
  /** Whether there is a text. A text with plurals exists only if `count` is among the values. */
  has(key: string, values?: Readonly<Record<string, unknown>>): boolean;
}

const localesDir = join(projectRoot, 'views', 'locales');
const languagesByFolder = new Map<string, Languages>();

/** Reads `<folder>/<language>/*.json` once. Keys begin with the name of their file. */
export function readLanguages(folder = localesDir): Languages {
  const languages = languagesByFolder.get(folder) ?? readLanguageFolder(folder);
  languagesByFolder.set(folder, languages);
  return languages;
}

function readLanguageFolder(folder: string): Languages {
  const resources = Object.fromEntries(locales.map((locale) => [locale, { pages: readCatalogue(folder, locale) }]));
  const i18n = createInstance();
  i18n.init({
    resources,
    defaultNS: 'pages',
    fallbackLng: 'en',
    supportedLngs: [...locales],
    // The templates escape.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  const translators = Object.fromEntries(locales.map((locale) => [locale, createTranslator(i18n, locale)])) as Record<
    Locale,
    Translate
  >;
  return {
    translatorOf: (locale) => translators[locale],
    has: (key, values) => i18n.exists(key, { ...values, lng: 'en' }),
  };
}

/** How many texts of a language are cached, about 600 kB. With more, the cache begins anew. */
const MAX_TEXTS = 2_000;
/** Texts with longer values are not cached: people typed them, so they hardly come again. */
const MAX_VALUE = 40;

/** Caches texts by key and values. Unknown keys are not cached: there could be many. */
function createTranslator(i18n: i18n, locale: Locale): Translate {
  const translate = i18n.getFixedT(locale);
  const texts = new Map<string, string>();
  return (key, values) => {
    const name = values === undefined ? key : makeTextKey(key, values);
    const cached = name === null ? undefined : texts.get(name);
    if (cached !== undefined) return cached;
    const text = String(translate(key, values ?? {}));
    if (texts.size >= MAX_TEXTS) texts.clear();
    if (name !== null && (values !== undefined || i18n.exists(key))) texts.set(name, text);
    return text;
  };
}

/** Makes a key of key and values; null if a value is long, or neither number nor text. */
function makeTextKey(key: string, values: Readonly<Record<string, unknown>>): string | null {
  let name = key;
  for (const field of Object.keys(values)) {
    const value = values[field];
    if (typeof value === 'number') name += `\n${field} ${value}`;
    else if (typeof value !== 'string' || value.length > MAX_VALUE) return null;
    else name += `\n${field}=${value.length}:${value}`;
  }
  return name;
}

function readCatalogue(localesFolder: string, locale: Locale): Record<string, unknown> {
  const folder = join(localesFolder, locale);
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [basename(name, '.json'), parseCatalogue(readFileSync(join(folder, name), 'utf8'), locale)]),
  );
}

/** Parses a catalogue. French gets no-break spaces before the marks that it sets apart. */
function parseCatalogue(json: string, locale: Locale): Record<string, unknown> {
  return JSON.parse(json, (_, value: unknown) =>
    locale === 'fr' && typeof value === 'string' ? value.replace(/(?<=«) | (?=[:;!?»])/g, '\u00a0') : value,
  );
}

/** Chooses the given language, else the first available of the browser's, else English. */
export function chooseLocale(chosen: string | undefined, acceptLanguage: string | undefined): Locale {
  for (const tag of [chosen ?? '', ...(acceptLanguage ?? '').split(',')]) {
    const language = tag.trim().slice(0, 2).toLowerCase();
    const locale = locales.find((code) => code === language);
    if (locale !== undefined) return locale;
  }
  return 'en';
}

/** Formatters are cached, as making one takes up to a millisecond. */
const listFormats = new Map<string, Intl.ListFormat>();

/** Joins names as the language does.
 *  @example joinNames(['A', 'B', 'C'], 'en') // 'A, B, and C' */
export function joinNames(names: Iterable<string>, locale: string, type: Intl.ListFormatType = 'conjunction'): string {
  const key = `${locale} ${type}`;
  const format = listFormats.get(key) ?? new Intl.ListFormat(locale, { type });
  listFormats.set(key, format);
  return format.format(names);
}
