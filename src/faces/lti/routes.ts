import type { LtiFaceDeps } from './deps.ts';
import { objectRoutes } from './object/object-routes.ts';
import { pickerChoiceRoutes } from './picker/choice-routes.ts';
import { pickerSearchRoutes } from './picker/search-routes.ts';
import { protocolRoutes } from './protocol/protocol-routes.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import type { LtiRoute } from './route.ts';

/** Every route of the LTI tool, below `/lti`. */
export function createRoutes(deps: LtiFaceDeps): readonly LtiRoute[] {
  return [
    ...protocolRoutes(deps),
    ...registrationRoutes(deps),
    ...pickerSearchRoutes(deps),
    ...pickerChoiceRoutes(deps),
    ...objectRoutes(deps),
  ];
}
