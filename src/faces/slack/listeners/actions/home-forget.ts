import { noPreferences } from '../../../../domain/person.ts';
import { erasedText } from '../../home/erased-text.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { showHome } from '../../home/show-home.ts';
import type { ActionListener } from '../../listener.ts';

/** Says what was erased. In the language of Slack: that they preferred another one is erased as well. */
export function homeForgetListener(deps: HomeDeps): ActionListener {
  const { people } = deps;
  return {
    kind: 'action',
    actionId: 'home_forget',
    async handle(context) {
      const [preferences, searches, saved] = await Promise.all([
        people.getPreferences(context.owner),
        people.listSearches(context.owner),
        people.listSavedSearches(context.owner),
      ]);
      const objects = await people.forget(context.owner);
      const erased = {
        objects,
        searches: new Set([...saved, ...searches.map(({ text }) => text)]).size,
        preferences,
      };
      await showHome(deps, context, {
        page: 0,
        preferences: noPreferences,
        notice: (words) => erasedText(erased, words),
      });
      return { kind: 'done' };
    },
  };
}
