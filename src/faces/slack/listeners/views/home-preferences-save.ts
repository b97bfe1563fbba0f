import type { ObjectWords } from '../../../object-view/facts.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { readPreferences } from '../../home/read-preferences.ts';
import { showHome } from '../../home/show-home.ts';
import type { ViewListener } from '../../listener.ts';

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
