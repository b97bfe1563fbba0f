import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type RequestHandler, Router } from 'express';
import type { ApiFaceDeps } from './api-face.ts';
import { createOpenApi } from './openapi.ts';
import { onlyMethod } from './request.ts';

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const views = new Eta({ views: fileURLToPath(new URL('../../../views', import.meta.url)), cache: true });

/** Scripts and styles come from this host only, as everywhere; the viewer draws with data images besides. */
const viewerPolicy: RequestHandler = (_request, response, next) => {
  response.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  );
  next();
};

/** The OpenAPI document and its page. */
export function createDocs({ publicUrl, version }: ApiFaceDeps): Router {
  const document = createOpenApi(publicUrl, version);
  const page = views.render('api/docs', { version });
  const router = Router();
  router.all('/openapi.json', onlyMethod('GET'), (_request, response) => {
    response
      .set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' })
      .json(document);
  });
  router.all('/docs', onlyMethod('GET'), viewerPolicy, (_request, response) => {
    response.type('html').send(page);
  });
  router.use('/docs/viewer', express.static(viewer, { index: false, maxAge: '1d' }));
  return router;
}
