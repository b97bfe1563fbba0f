import { escapeMrkdwn, toOneLine } from '../../blocks/text.ts';
import { findSaved } from '../../home/find-saved.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { showHome } from '../../home/show-home.ts';
import type { ActionListener } from '../../listener.ts';

/** Whoever clicks twice finds it removed, which is what they wanted. */
export function homeRemoveListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_remove',
    async handle(context, { value }) {
      const found = await findSaved(deps.shelf, context.owner, value);
      if (found === null) {
        await showHome(deps, context);
        return { kind: 'done' };
      }
      await deps.shelf.remove(context.owner, found.object.url);
      const title = escapeMrkdwn(toOneLine(found.object.title));
      await showHome(deps, context, { notice: ({ t }) => t('slackHome.saved.removed', { title }) });
      return { kind: 'done' };
    },
  };
}
