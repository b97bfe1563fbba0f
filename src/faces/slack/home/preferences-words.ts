import type { Preferences } from '../../../domain/person.ts';
import { type ObjectWords, typeName } from '../../object-view/facts.ts';
import { languageName } from '../../words/language-names.ts';
import { escapeMrkdwn } from '../blocks/text.ts';

const MAX_NAMES = 10;

export interface PreferencesToSay {
  readonly preferences: Preferences;
  /** Names of the preferred providers. */
  readonly providers: readonly string[];
}

/** A line for each preference there is, mrkdwn. */
export function preferenceLines({ preferences, providers }: PreferencesToSay, words: ObjectWords): string[] {
  const { t, locale } = words;
  const { lang, level, types, itemsPerPage } = preferences;
  const values = {
    locale: preferences.locale && languageName(preferences.locale, locale),
    lang: lang && languageName(lang, locale),
    level: level && t(`slackHome.preferences.levels.${level}`),
    types: listed(
      types.map((type) => typeName(type, t)),
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
