import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInstance } from 'i18next';
import { type Locale, locales } from '#domain/person';
import { projectRoot } from '#project-root';

export { type Locale, locales };

export const localeNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
};

/** `t('keys.title')`, with `{{values}}` filled in and plurals by `count`. */
export type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string;

export interface Languages {
  translatorOf(locale: Locale): Translate;
  /** One with plurals exists only if `count` is among the values. */
  has(key: string, values?: Readonly<Record<string, unknown>>): boolean;
}

const localesDir = join(projectRoot, 'views', 'locales');
const languagesByFolder = new Map<string, Languages>();

/** The catalogues in `<folder>/<language>/`; the name of a file is the first part of its keys. */
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
  const translators = Object.fromEntries(
    locales.map((locale): [Locale, Translate] => {
      const translate = i18n.getFixedT(locale);
      return [
        locale,
        rememberLanguageTexts(
          (key, values) => String(translate(key, values ?? {})),
          (key) => i18n.exists(key),
        ),
      ];
    }),
  ) as Record<Locale, Translate>;
  return {
    translatorOf: (locale) => translators[locale],
    has: (key, values) => i18n.exists(key, { ...values, lng: 'en' }),
  };
}

/** Of a language, about 600 kB; more are forgotten together. */
const MAX_TEXTS = 2_000;
/** Longer values are words that people typed, which hardly come again. */
const MAX_VALUE = 40;

/** The same values give the same text. Unknown keys are not cached: there could be many. */
function rememberLanguageTexts(translate: Translate, exists: (key: string) => boolean): Translate {
  const texts = new Map<string, string>();
  return (key, values) => {
    const name = values === undefined ? key : nameLanguageText(key, values);
    const cached = name === null ? undefined : texts.get(name);
    if (cached !== undefined) return cached;
    const text = translate(key, values);
    if (texts.size >= MAX_TEXTS) texts.clear();
    if (name !== null && (values !== undefined || exists(key))) texts.set(name, text);
    return text;
  };
}

/** Differs for each key with its values; null if a value is long or no number or text. */
function nameLanguageText(key: string, values: Readonly<Record<string, unknown>>): string | null {
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

/** A no-break space before marks that French sets apart, as no line may begin with one. */
function parseCatalogue(json: string, locale: Locale): Record<string, unknown> {
  return JSON.parse(json, (_, value: unknown) =>
    locale === 'fr' && typeof value === 'string' ? value.replace(/(?<=«) | (?=[:;!?»])/g, '\u00a0') : value,
  );
}

/** The page's choice, else the first available of the browser's languages, else English. */
export function chooseLocale(chosen: string | undefined, acceptLanguage: string | undefined): Locale {
  const languages = [
    chosen ?? '',
    ...(acceptLanguage ?? '').split(',').map((part) => part.replace(/;.*/s, '').trim()),
  ].map((tag) => tag.slice(0, 2).toLowerCase());
  return languages.map((tag) => locales.find((locale) => locale === tag)).find((result) => result) ?? 'en';
}
