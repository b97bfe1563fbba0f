import type { types } from '@slack/bolt';
import type { Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Lists } from '#services/searching/discovery/results';
import { limits, type ModalView, plainText, smallText } from '../blocks/block-kit.ts';
import { multiMenu, multiTypeaheadMenu, selectMenu } from '../blocks/menus.ts';
import { toMessageModal } from '../blocks/messages.ts';
import { NO_PREFERENCE, type PreferenceChoices, preferenceChoices } from './preference-words.ts';

/** As many as can be kept of types and of providers. */
const MAX_TYPES = 20;
const MAX_PROVIDERS = 50;

/** Each field's block id and action id are its name in `Preferences` with `home_` in front. */
export const namePreferenceField = (name: keyof Preferences): string => `home_${name}`;

type SingleField = 'locale' | 'lang' | 'level' | 'itemsPerPage';

export function drawPreferencesModal(preferences: Preferences, lists: Lists, words: ObjectWords): ModalView {
  const { t } = words;
  const choices = preferenceChoices(preferences, lists, words);
  const single = (name: SingleField) => input({ name, element: singleSelect(name, choices, preferences) }, t);
  const isVersionMissing = lists.missing.some((name) => name !== 'blooms');
  const blocks = [
    ...(isVersionMissing ? [smallText(t('slackHome.preferences.missing'))] : []),
    { ...single('locale'), hint: plainText(t('slackHome.preferences.localeHint'), limits.hint) },
    single('lang'),
    single('level'),
    severalInput('types', typesSelect(choices, preferences, words), t),
    severalInput('providers', providersSelect(choices, words), t),
    single('itemsPerPage'),
  ];
  return toMessageModal(
    { blocks },
    {
      title: t('slackHome.preferences.title'),
      submit: t('slackHome.preferences.save'),
      close: t('slackHome.preferences.cancel'),
      callbackId: 'home_preferences_save',
    },
  );
}

interface Field {
  readonly name: keyof Preferences;
  readonly element: types.InputBlock['element'];
}

function input({ name, element }: Field, t: ObjectWords['t']): types.InputBlock {
  const label = plainText(t(`slackHome.preferences.${name}`), limits.label);
  return { type: 'input', block_id: namePreferenceField(name), label, element };
}

/** Nothing needs to be chosen. */
function severalInput(
  name: 'types' | 'providers',
  element: Field['element'],
  t: ObjectWords['t'],
): types.InputBlock {
  const hint = plainText(t(`slackHome.preferences.${name}Hint`), limits.hint);
  return { ...input({ name, element }, t), hint, optional: true };
}

/** No placeholder is seen, as something is chosen always. */
function singleSelect(
  name: SingleField,
  choices: PreferenceChoices,
  preferences: Preferences,
): types.StaticSelect {
  const chosen = String(preferences[name] ?? NO_PREFERENCE);
  return selectMenu({
    actionId: namePreferenceField(name),
    placeholder: '…',
    options: choices[name],
    chosen,
  });
}

function typesSelect({ types }: PreferenceChoices, preferences: Preferences, { t }: ObjectWords) {
  return multiMenu({
    actionId: namePreferenceField('types'),
    placeholder: t('slackHome.preferences.choose'),
    options: types,
    chosen: preferences.types,
    max: MAX_TYPES,
  });
}

function providersSelect({ providers }: PreferenceChoices, { t }: ObjectWords) {
  return multiTypeaheadMenu({
    actionId: namePreferenceField('providers'),
    placeholder: t('slackHome.preferences.choose'),
    chosen: providers,
    max: MAX_PROVIDERS,
  });
}
