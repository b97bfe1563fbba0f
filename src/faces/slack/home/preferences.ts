import { levels } from '#domain/learning-object-query';
import type { Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import { locales } from '#faces/words/i18n';
import {
  type ActionListener,
  LISTS_MS,
  type ViewListener,
  type ViewValue,
  type ViewValues,
} from '../listener.ts';
import type { HomeDeps } from './home-model.ts';
import { pageSizes } from './preference-words.ts';
import { drawPreferencesModal, namePreferenceField } from './preferences-modal.ts';
import { showHome } from './show-home.ts';

export function homePreferencesListener({ people }: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_preferences',
    async handle({ owner, discovery, words }) {
      const [preferences, lists, reader] = await Promise.all([
        people.getPreferences(owner),
        discovery.lists({ timeoutMs: LISTS_MS }),
        words(),
      ]);
      return { kind: 'modal', view: drawPreferencesModal(preferences, lists, reader) };
    },
  };
}

export function homePreferencesSaveListener(deps: HomeDeps): ViewListener {
  return {
    kind: 'view',
    callbackId: 'home_preferences_save',
    async submit(context, { values }) {
      const preferences = readPreferences(values);
      await deps.people.changePreferences(context.owner, preferences);
      return {
        show: { kind: 'close' },
        afterwards: async () => {
          const notice = { notice: ({ t }: ObjectWords) => t('slackHome.preferences.saved') };
          await showHome(deps, context, { preferences, ...notice });
          return { kind: 'done' };
        },
      };
    },
  };
}

/** What was chosen in the form of preferences; anything else is ignored. */
export function readPreferences(values: ViewValues): Preferences {
  return {
    locale: locales.find((code) => code === one('locale')) ?? null,
    lang: /^[a-z]{2}$/.test(one('lang')) ? one('lang') : null,
    level: (Object.keys(levels) as (keyof typeof levels)[]).find((name) => name === one('level')) ?? null,
    types: several('types'),
    providers: several('providers'),
    itemsPerPage: pageSizes.find((size) => String(size) === one('itemsPerPage')) ?? null,
  };

  function one(name: keyof Preferences): string {
    return field(name)?.selected_option?.value ?? '';
  }

  function several(name: keyof Preferences): readonly string[] {
    return field(name)?.selected_options?.map(({ value }) => value) ?? [];
  }

  function field(name: keyof Preferences): ViewValue | undefined {
    return values[namePreferenceField(name)]?.[namePreferenceField(name)];
  }
}
