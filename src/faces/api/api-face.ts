import { type RequestHandler, Router } from 'express';
import type { ApiAccess } from '../../services/api-access/api-access.ts';
import type { FeedbackService } from '../../services/feedback/feedback.ts';
import type { TenantLearning } from '../../services/tenant-learning.ts';
import { createCompetencyEndpoints } from './competency-endpoints.ts';
import { allowAnyOrigin } from './cors.ts';
import { createDocs } from './docs.ts';
import { answerErrors, refuseMalformedPaths, refuseUnknownPaths } from './errors.ts';
import { createGatewayEndpoints } from './gateway-endpoints.ts';
import { createLearningObjectEndpoints } from './learning-object-endpoints.ts';
import { createMetrics, type IndexSizes } from './metrics.ts';
import { createOperations } from './operations.ts';

export interface ApiFaceDeps {
  /** The operations as a tenant gets them, made for each request. */
  learningOf(tenantId: string): TenantLearning;
  readonly access: ApiAccess;
  readonly feedback: FeedbackService;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  /** Rejects while the host cannot answer. */
  isReady(): Promise<void>;
  /** As they are now. */
  sizes(): IndexSizes;
}

/** The specification's HTTP API at its addresses and the gateway's, our extension, its description, and what operators
 *  watch. */
export function createApiFace(deps: ApiFaceDeps): Router {
  const metrics = createMetrics(deps.sizes);
  const router = Router();
  // Behind one path each: every path that is taken off and put back costs a search more than its headers do.
  const behindHeaders = (endpoints: RequestHandler) =>
    Router().use(metrics.measure, allowAnyOrigin, refuseMalformedPaths, endpoints, refuseUnknownPaths);
  router.use('/domcomp/v1', behindHeaders(createCompetencyEndpoints(deps)));
  router.use('/learningobject/v2', behindHeaders(createLearningObjectEndpoints(deps)));
  router.use('/marketplace', behindHeaders(createGatewayEndpoints(deps)));
  router.use(['/domcomp', '/learningobject', '/marketplace'], behindHeaders(Router()));
  router.use(createDocs(deps));
  router.use(createOperations(deps, metrics));
  router.use(answerErrors);
  return router;
}
