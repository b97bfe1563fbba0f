import type { Router } from 'express';
import type { ApiFaceDeps } from './api-face.ts';
import { createProviderEndpoints } from './learning-object-endpoints.ts';

/** The marketplace gateway: the same operations under the same last path segment, with a key header of its own. */
export function createGatewayEndpoints(deps: ApiFaceDeps): Router {
  return createProviderEndpoints(deps, 'x-marketplace-key');
}
