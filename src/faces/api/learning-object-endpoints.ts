import { type RequestHandler, Router } from 'express';
import {
  parseFeedbackRequest,
  parseSearchProviderRequest,
  parseSearchRequest,
  writeBloomResponse,
  writeFeedbackResponse,
  writeLangResponse,
  writeProviderResponse,
  writeSearchResponse,
  writeTypeResponse,
} from '../../contract/index.ts';
import type { ApiFaceDeps } from './api-face.ts';
import { remember } from './remember.ts';
import { jsonBody, keyed, onlyMethod, queryStringOf, sendPrivate } from './request.ts';

const readSearch = remember(parseSearchRequest);
const readSearchProvider = remember(parseSearchProviderRequest);

/** The Learning-Object API at its own address: the six operations with `x-api-key`, and our extension `search`. */
export function createLearningObjectEndpoints(deps: ApiFaceDeps): Router {
  const router = createProviderEndpoints(deps, 'x-api-key');
  router.all(
    '/search',
    onlyMethod('GET'),
    keyed(deps.access, 'learning-objects', 'x-api-key'),
    async (request, response) => {
      const wanted = readSearch(queryStringOf(request));
      sendPrivate(response, writeSearchResponse(wanted, await deps.learning.searchProvider(wanted.query)));
    },
  );
  return router;
}

/** The six operations that the API and the gateway share.
 *  @param header the one that carries the key */
export function createProviderEndpoints({ learning, access, feedback }: ApiFaceDeps, header: string): Router {
  const router = Router();
  router.all(
    '/search-provider',
    onlyMethod('GET'),
    keyed(access, 'learning-objects', header),
    async (request, response) => {
      const wanted = readSearchProvider(queryStringOf(request));
      sendPrivate(response, writeSearchResponse(wanted, await learning.searchProvider(wanted.query)));
    },
  );

  router.all(
    '/feedback',
    onlyMethod('POST'),
    keyed(access, 'feedback', header),
    jsonBody,
    async (request, response) => {
      await feedback.giveFeedback(parseFeedbackRequest(request.body));
      sendPrivate(response, writeFeedbackResponse());
    },
  );

  const list = (path: string, read: () => Promise<unknown>) =>
    router.all(path, onlyMethod('GET'), sendList(read));
  list('/provider', async () => writeProviderResponse(await learning.listProviders()));
  list('/type', async () => writeTypeResponse(await learning.listTypes()));
  list('/bloom', async () => writeBloomResponse(await learning.listBlooms()));
  list('/lang', async () => writeLangResponse(await learning.listLanguages()));
  return router;
}

/** Lists change rarely, so they may be kept for an hour; Express adds the ETag. */
function sendList(read: () => Promise<unknown>): RequestHandler {
  return async (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').json(await read());
  };
}
