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
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import type { ApiFaceDeps } from './api-face.ts';
import { remember } from './remember.ts';
import { jsonBody, keyed, onlyMethod, queryStringOf, sendPrivate, tenantOf } from './request.ts';

const readSearch = remember(parseSearchRequest);
const readSearchProvider = remember(parseSearchProviderRequest);

/** The Learning-Object API at its own address: the six operations with `x-api-key`, and our extension `search`. */
export function createLearningObjectEndpoints(deps: ApiFaceDeps): Router {
  const router = createProviderEndpoints(deps, 'x-api-key');
  const withKey = keyed(deps.access, 'learning-objects', 'x-api-key');
  router.all('/search', onlyMethod('GET'), withKey, sendSearch(deps, readSearch));
  return router;
}

/** The six operations that the API and the gateway share. The lists ask for no key; they are the default tenant's.
 *  @param header the one that carries the key */
export function createProviderEndpoints(deps: ApiFaceDeps, header: string): Router {
  const { access, feedback } = deps;
  const router = Router();
  const searching = keyed(access, 'learning-objects', header);
  router.all('/search-provider', onlyMethod('GET'), searching, sendSearch(deps, readSearchProvider));

  const commenting = keyed(access, 'feedback', header);
  router.all('/feedback', onlyMethod('POST'), commenting, jsonBody, async (request, response) => {
    await feedback.giveFeedback(tenantOf(response), parseFeedbackRequest(request.body));
    sendPrivate(response, writeFeedbackResponse());
  });

  const learning = deps.learningOf(DEFAULT_TENANT);
  const list = (path: string, read: () => Promise<unknown>) =>
    router.all(path, onlyMethod('GET'), sendList(read));
  list('/provider', async () => writeProviderResponse(await learning.listProviders()));
  list('/type', async () => writeTypeResponse(await learning.listTypes()));
  list('/bloom', async () => writeBloomResponse(await learning.listBlooms()));
  list('/lang', async () => writeLangResponse(await learning.listLanguages()));
  return router;
}

function sendSearch({ learningOf }: ApiFaceDeps, read: typeof readSearch): RequestHandler {
  return async (request, response) => {
    const wanted = read(queryStringOf(request));
    const answer = await learningOf(tenantOf(response)).searchProvider(wanted.query);
    sendPrivate(response, writeSearchResponse(wanted, answer));
  };
}

/** Lists change rarely, so they may be kept for an hour; Express adds the ETag. */
function sendList(read: () => Promise<unknown>): RequestHandler {
  return async (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').json(await read());
  };
}
