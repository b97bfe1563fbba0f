import type { types } from '@slack/bolt';
import { learningObjectTypes } from '#domain/learning-object';
import { levels } from '#domain/learning-object-query';
import type { Preferences } from '#domain/person';
import { type ObjectWords, writeTypeFact } from '#faces/object-view/facts';
import { listNamedFilterValues } from '#faces/search-view/filter-names';
import { joinNames, locales } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { input, limits, type ModalView, smallText } from '../blocks/block-kit.ts';
import { listMenuOptions, multiMenu, multiTypeaheadMenu, option, selectMenu } from '../blocks/menus.ts';
import { drawModal } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { readField, type ViewValues } from '../listener.ts';

/** Makes the id of the block and the element of a preference. */
const toPreferenceFieldId = (name: keyof Preferences): string => `home_${name}`;

/** How many types and providers can be stored. */
const MAX_TYPES = 20;
const MAX_PROVIDERS = 50;

/** Value of the option without a preference: Slack takes no empty value. */
const NO_PREFERENCE = '-';
const pageSizes = [3, 5, 10] as const;
type Options = types.PlainTextOption[];
type SingleField = 'locale' | 'lang' | 'level' | 'itemsPerPage';
type MultipleField = 'types' | 'providers';

export function drawPreferencesModal(preferences: Preferences, lists: Lists, words: ObjectWords): ModalView {
  const { t } = words;
  const choices = listPreferenceOptions(preferences, lists, words);
  const placeholder = t('slackHome.preferences.choose');
  const field = (name: keyof Preferences, element: types.InputBlock['element'], hint?: string) =>
    input({
      id: toPreferenceFieldId(name),
      label: t(`slackHome.preferences.${name}`),
      ...(hint !== undefined && { hint: t(`slackHome.preferences.${hint}`) }),
      optional: name === 'types' || name === 'providers',
      element,
    });
  const single = (name: SingleField, hint?: string) => {
    const chosen = String(preferences[name] ?? NO_PREFERENCE);
    // The placeholder is never seen, as an option is always chosen.
    const parts = { actionId: toPreferenceFieldId(name), placeholder: '…', options: choices[name], chosen };
    return field(name, selectMenu(parts), hint);
  };
  const ofTypes = { actionId: toPreferenceFieldId('types'), placeholder, options: choices.types, max: MAX_TYPES };
  const ofProviders = { actionId: toPreferenceFieldId('providers'), placeholder, max: MAX_PROVIDERS };
  const isListMissing = lists.missing.some((name) => name !== 'blooms');
  const blocks = [
    ...(isListMissing ? [smallText(t('slackHome.preferences.missing'))] : []),
    single('locale', 'localeHint'),
    single('lang'),
    single('level'),
    field('types', multiMenu({ ...ofTypes, chosen: preferences.types }), 'typesHint'),
    field('providers', multiTypeaheadMenu({ ...ofProviders, chosen: choices.providers }), 'providersHint'),
    single('itemsPerPage'),
  ];
  return drawModal({
    title: t('slackHome.preferences.title'),
    submit: t('slackHome.preferences.save'),
    close: t('slackHome.preferences.cancel'),
    callbackId: 'home_preferences_save',
    blocks,
  });
}

/** Lists options, with preferred values that are on no list. More providers come while typing. */
function listPreferenceOptions(
  preferences: Preferences,
  lists: Lists,
  { t, locale }: ObjectWords,
): Readonly<Record<SingleField | MultipleField, Options>> {
  const none = option(NO_PREFERENCE, t('slackHome.preferences.noPreference'));
  const asSlack = option(NO_PREFERENCE, t('slackHome.preferences.asSlack'));
  const names = new Map(lists.providers.map(({ id, name }) => [id, name]));
  const languages = listNamedFilterValues(lists.languages, locales).filter((code) => /^[a-z]{2}$/.test(code));
  const { lang, types } = preferences;
  const sorted = (values: readonly string[], nameOf: (value: string) => string): Options =>
    listMenuOptions(values, nameOf)
      .slice(0, limits.options - 1)
      .sort((a, b) => a.text.text.localeCompare(b.text.text, locale));
  return {
    locale: [asSlack, ...locales.map((code) => option(code, findLanguageName(code, code)))],
    lang: [none, ...sorted([lang ?? [], languages].flat(), (code) => findLanguageName(code, locale))],
    level: [none, ...Object.keys(levels).map((name) => option(name, t(`slackHome.preferences.levels.${name}`)))],
    types: sorted([...types, ...listNamedFilterValues(lists.types, learningObjectTypes)], (type) =>
      writeTypeFact(type, t),
    ),
    providers: sorted(preferences.providers, (id) => names.get(id) ?? id),
    itemsPerPage: [none, ...pageSizes.map((size) => option(String(size), size.toLocaleString(locale)))],
  };
}

export function readPreferences(values: ViewValues): Preferences {
  const field = (name: keyof Preferences) => readField(values, toPreferenceFieldId(name));
  const readValue = (name: SingleField): string => field(name)?.selected_option?.value ?? '';
  const readList = (name: MultipleField): readonly string[] =>
    field(name)?.selected_options?.map(({ value }) => value) ?? [];
  return {
    locale: locales.find((code) => code === readValue('locale')) ?? null,
    lang: /^[a-z]{2}$/.test(readValue('lang')) ? readValue('lang') : null,
    level: (Object.keys(levels) as (keyof typeof levels)[]).find((name) => name === readValue('level')) ?? null,
    types: readList('types'),
    providers: readList('providers'),
    itemsPerPage: pageSizes.find((size) => String(size) === readValue('itemsPerPage')) ?? null,
  };
}

/** Writes a line of mrkdwn for each preference that is set. */
export function writePreferences(
  { preferences, providers }: { readonly preferences: Preferences; readonly providers: readonly string[] },
  words: ObjectWords,
): string[] {
  const { t, locale } = words;
  const { lang, level, types, itemsPerPage } = preferences;
  const typeNames = types.map((type) => writeTypeFact(type, t));
  const values = {
    locale: preferences.locale && findLanguageName(preferences.locale, locale),
    lang: lang && findLanguageName(lang, locale),
    level: level && t(`slackHome.preferences.levels.${level}`),
    types: joinPreferenceNames(typeNames, words),
    providers: joinPreferenceNames(providers, words),
    itemsPerPage: itemsPerPage?.toLocaleString(locale),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value ? [t(`slackHome.preferences.in.${name}`, { value: escapeMrkdwn(value) })] : [],
  );
}

const MAX_NAMES = 10;

function joinPreferenceNames(names: readonly string[], { t, locale }: ObjectWords): string {
  const hiddenCount = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES);
  if (hiddenCount > 0) listed.push(t('slackHome.preferences.more', { count: hiddenCount }));
  return joinNames(listed, locale, 'unit');
}
