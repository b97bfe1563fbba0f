import { escapeMrkdwn, toOneLine } from '../../blocks/text.ts';
import { digestText } from '../../home/digest.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { showHome } from '../../home/show-home.ts';
import type { ActionListener } from '../../listener.ts';

/** Whoever clicks twice finds it removed, which is what they wanted. */
export function homeSearchRemoveListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_search_remove',
    async handle(context, { value }) {
      const searches = await deps.people.listSavedSearches(context.owner);
      const search = searches.find((text) => digestText(text) === value);
      if (search === undefined) {
        await showHome(deps, context);
        return { kind: 'done' };
      }
      await deps.people.removeSavedSearch(context.owner, search);
      const title = escapeMrkdwn(toOneLine(search));
      await showHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
      return { kind: 'done' };
    },
  };
}
