import type { HomeDeps } from '../../home/home-deps.ts';
import { preferencesModal } from '../../home/preferences-modal.ts';
import type { ActionListener } from '../../listener.ts';
import { LISTS_MS } from '../../request-limits.ts';

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
      return { kind: 'modal', view: preferencesModal(preferences, lists, reader) };
    },
  };
}
