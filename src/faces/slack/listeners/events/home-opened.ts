import type { HomeDeps } from '../../home/home-deps.ts';
import { showHome } from '../../home/show-home.ts';
import type { HomeListener } from '../../listener.ts';

export function homeOpenedListener(deps: HomeDeps): HomeListener {
  return {
    kind: 'home',
    handle: (context, notice) =>
      showHome(deps, context, notice === undefined ? {} : { notice: () => notice }),
  };
}
