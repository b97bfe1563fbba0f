import type { HomeDeps } from '../../home/home-deps.ts';
import { showHome } from '../../home/show-home.ts';
import type { ActionListener } from '../../listener.ts';

/** A second click must not say that something was unlinked. */
export function homeUnlinkListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_unlink',
    async handle(context) {
      const linked = await deps.people.countLinked(context.owner);
      await deps.people.unlink(context.owner);
      await showHome(
        deps,
        context,
        linked > 0 ? { page: 0, notice: ({ t }) => t('slackHome.link.unlinked') } : {},
      );
      return { kind: 'done' };
    },
  };
}
