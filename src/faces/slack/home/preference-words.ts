import type { types } from '@slack/bolt';
import { learningObjectTypes } from '#domain/learning-object';
import { levels } from '#domain/learning-object-query';
import type { Preferences } from '#domain/person';
import { type ObjectWords, writeTypeFact } from '#faces/object-view/facts';
import { locales } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { limits } from '../blocks/block-kit.ts';
import { isMenuOptionValue, option } from '../blocks/menus.ts';
import { escapeMrkdwn } from '../blocks/text.ts';

type Options = types.PlainTextOption[];

/** Value of the choice to have no preference: Slack takes no empty one. */
export const NO_PREFERENCE = '-';

export const pageSizes = [3, 5, 10] as const;

/** What can be preferred, including what is preferred already, even if it is on no list (any more). */
export interface PreferenceChoices {
  readonly locale: Options;
  readonly lang: Options;
  readonly level: Options;
  readonly types: Options;
  /** The preferred ones; the others are asked for while somebody types. */
  readonly providers: Options;
  readonly itemsPerPage: Options;
}

export function preferenceChoices(
  preferences: Preferences,
  lists: Lists,
  { t, locale }: ObjectWords,
): PreferenceChoices {
  const none = option(NO_PREFERENCE, t('slackHome.preferences.noPreference'));
  const asSlack = option(NO_PREFERENCE, t('slackHome.preferences.asSlack'));
  const names = new Map(lists.providers.map(({ id, name }) => [id, name]));
  const levelOf = (name: string) => option(name, t(`slackHome.preferences.levels.${name}`));
  return {
    locale: [asSlack, ...locales.map((code) => option(code, findLanguageName(code, code)))],
    lang: [none, ...named(languageCodes(preferences, lists), (code) => findLanguageName(code, locale))],
    level: [none, ...Object.keys(levels).map(levelOf)],
    types: named(typeValues(preferences, lists), (type) => writeTypeFact(type, t)),
    providers: named(preferences.providers, (id) => names.get(id) ?? id),
    itemsPerPage: [none, ...pageSizes.map((size) => option(String(size), size.toLocaleString(locale)))],
  };

  function named(values: readonly string[], nameOf: (value: string) => string): Options {
    return [...new Set(values)]
      .filter(isMenuOptionValue)
      .slice(0, limits.options - 1)
      .map((value) => option(value, nameOf(value)))
      .sort((a, b) => a.text.text.localeCompare(b.text.text, locale));
  }
}

/** Those of our own words where there is no list. */
function languageCodes({ lang }: Preferences, { languages }: Lists): readonly string[] {
  const listed = languages.length === 0 ? locales : languages.map(({ value }) => value);
  return [...(lang === null ? [] : [lang]), ...listed.filter((code) => /^[a-z]{2}$/.test(code))];
}

/** Those of the specification where there is no list. */
function typeValues({ types }: Preferences, { types: entries }: Lists): readonly string[] {
  return [...types, ...(entries.length === 0 ? learningObjectTypes : entries.map(({ value }) => value))];
}

const MAX_NAMES = 10;

interface PreferencesToSay {
  readonly preferences: Preferences;
  /** Names of the preferred providers. */
  readonly providers: readonly string[];
}

/** A line for each preference there is, mrkdwn. */
export function writePreferences({ preferences, providers }: PreferencesToSay, words: ObjectWords): string[] {
  const { t, locale } = words;
  const { lang, level, types, itemsPerPage } = preferences;
  const values = {
    locale: preferences.locale && findLanguageName(preferences.locale, locale),
    lang: lang && findLanguageName(lang, locale),
    level: level && t(`slackHome.preferences.levels.${level}`),
    types: listed(
      types.map((type) => writeTypeFact(type, t)),
      words,
    ),
    providers: listed(providers, words),
    itemsPerPage: itemsPerPage?.toLocaleString(locale),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value ? [t(`slackHome.preferences.in.${name}`, { value: escapeMrkdwn(value) })] : [],
  );
}

function listed(names: readonly string[], { t, locale }: ObjectWords): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES);
  if (more > 0) shown.push(t('slackHome.preferences.more', { count: more }));
  return new Intl.ListFormat(locale, { type: 'unit' }).format(shown);
}
