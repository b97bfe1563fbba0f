import express, { type Request, type Router } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import type { Provider } from '#domain/catalog';
import type { Clock } from '#ports/clock';
import type { Harvest } from '#services/catalogue/harvest';
import { createLocalCounters, createRateLimiter } from '#services/host/rate-limits';
import type { ApiAccess } from '#services/tenants/api-access';
import { beginErrorAnswer } from '../app-errors.ts';
import { createStrictRouter, readRawQuery } from '../strict-paths.ts';
import { answerOai, type OaiDeps } from './oai.ts';

interface HarvestFaceDeps extends Pick<OaiDeps, 'publicUrl' | 'operatorEmail'> {
  readonly harvest: Harvest;
  readonly access: ApiAccess;
  /** @param tenantId null for the providers that all tenants share */
  listProviders(tenantId: string | null): Promise<readonly Provider[]>;
  readonly clock: Clock;
}

const LIMIT = { name: 'harvest', points: 300, windowSeconds: 60 } as const;
const MAX_FORM = '20kb';

/** Serves the OAI-PMH 2.0 repository at `/oai`: for everybody the objects that all tenants share,
 *  and with the key of a tenant those that the tenant sees. */
export function createHarvestFace(deps: HarvestFaceDeps): Router {
  const { harvest, access, clock } = deps;
  const limiter = createRateLimiter(createLocalCounters(), clock, LIMIT);
  const router = createStrictRouter();
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: MAX_FORM });
  router.all('/oai', readForm, async (request, response) => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
      response.set('Allow', 'GET, HEAD, POST').status(405).end();
      return;
    }
    const { isAllowed, endsInMs } = await limiter.consume(findNetworkOf(request.ip ?? ''));
    if (!isAllowed) {
      // The protocol has a harvester wait after 503, and go on.
      response
        .set('Retry-After', `${Math.max(1, Math.ceil(endsInMs / 1_000))}`)
        .status(503)
        .end();
      return;
    }
    const key = request.get('x-api-key');
    const cacheControl = key === undefined ? 'no-cache' : 'private, no-store';
    response.vary('X-Api-Key').set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': cacheControl });
    try {
      const tenantId = key === undefined ? null : (await access.authorize(key, 'learning-objects')).tenantId;
      const reader = { harvest: harvest.ofTenant(tenantId), listProviders: () => deps.listProviders(tenantId) };
      const xml = await answerOai({ ...deps, ...reader }, readHarvestArguments(request), clock.now());
      response.type('text/xml; charset=utf-8').send(xml);
    } catch (thrown) {
      const { message, reference } = beginErrorAnswer(thrown, request, response);
      response.type('text').send(`${message} (${reference})\n`);
    }
  });
  return router;
}

function readHarvestArguments({ method, url, body }: Request): string {
  if (method === 'POST') return typeof body === 'string' ? body : '';
  return readRawQuery(url);
}
