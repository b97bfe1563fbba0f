import type { LtiFaceDeps } from '../deps.ts';
import type { LtiRoute } from '../route.ts';
import { submitChoice } from './choice-submit.ts';
import { planRoute } from './plan-route.ts';
import { shelfLinkRoutes } from './shelf-link-routes.ts';
import { shelfRoutes } from './shelf-routes.ts';

/** At most 50 chosen objects. */
const MAX_CHOICE = '4mb';

/** Choosing objects and giving them to the platform; what finds them is in `search-routes.ts`. */
export function pickerChoiceRoutes(deps: LtiFaceDeps): LtiRoute[] {
  return [
    {
      method: 'post',
      path: '/picker/choose',
      maxForm: MAX_CHOICE,
      access: 'choice',
      handle: (context) => submitChoice(deps, context),
    },
    planRoute(deps),
    ...shelfRoutes(deps),
    ...shelfLinkRoutes(deps),
  ];
}
