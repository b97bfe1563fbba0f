import type { HomeDeps } from '../../home/home-deps.ts';
import { readPage, showHome } from '../../home/show-home.ts';
import type { ActionListener } from '../../listener.ts';

export function homePageListener(deps: HomeDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'home_page_*',
    async handle(context, { value }) {
      await showHome(deps, context, { page: readPage(value) });
      return { kind: 'done' };
    },
  };
}
