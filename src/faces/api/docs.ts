import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { RequestHandler, Router } from 'express';
import { listAssistantSetups } from '#domain/assistants';
import { createCookies, readCookieLocale } from '../cookies.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import { readLanguages } from '../words/i18n.ts';
import { createGuides } from './guides.ts';
import { createOpenApi } from './openapi.ts';
import { requireRequestMethod } from './request.ts';

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The files of the viewer that the page loads; its package holds much more. */
const viewerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Scripts and styles come from this host only, as everywhere; the viewer also uses data images. */
const viewerPolicy: RequestHandler = (_request, response, next) => {
  response.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  );
  next();
};

export interface DocsDeps {
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  /** It may be used for what the reference tries out with it. */
  readonly demoKey: string;
}

/** The OpenAPI document and its page. */
export function createDocs({ publicUrl, version, demoKey }: DocsDeps): Router {
  const document = createOpenApi(publicUrl, version);
  const [languages, cookies] = [readLanguages(), createCookies<'language'>(publicUrl)];
  const setups = listAssistantSetups(publicUrl);
  const router = createStrictRouter();
  router.all('/openapi.json', requireRequestMethod('GET'), (_request, response) => {
    response
      .set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' })
      .json(document);
  });
  router.all('/docs', requireRequestMethod('GET'), viewerPolicy, (request, response) => {
    const locale = readCookieLocale(request, cookies);
    const page = views.render('api/docs', { locale, t: languages.translatorOf(locale), demoKey, setups });
    response.vary('Accept-Language').vary('Cookie').type('html').send(page);
  });
  router.use(createGuides({ languages, localeOf: (request) => readCookieLocale(request, cookies) }));
  for (const file of viewerFiles) {
    router.get(`/docs/viewer/${file}`, (_request, response) => {
      response.sendFile(file, { root: viewer, maxAge: '1d' });
    });
  }
  return router;
}
