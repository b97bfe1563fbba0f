import { Router } from 'express';
import type { ApiFaceDeps } from './api-face.ts';
import type { Metrics } from './metrics.ts';
import { onlyMethod } from './request.ts';

/** What operators and their tools watch: alive, ready, metrics. */
export function createOperations({ isReady }: ApiFaceDeps, metrics: Metrics): Router {
  const router = Router();
  router.all('/healthz', onlyMethod('GET'), (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.all('/readyz', onlyMethod('GET'), async (_request, response) => {
    const isUp = await isReady().then(
      () => true,
      () => false,
    );
    response
      .status(isUp ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status: isUp ? 'ready' : 'unavailable' });
  });
  router.all('/metrics', onlyMethod('GET'), async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  return router;
}
