import { type RequestHandler, Router } from 'express';
import {
  parseFeedbackRequest,
  parseIdempotencyKey,
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
import type { CallOptions } from '../../ports/learning-service.ts';
import { abortedWith } from '../aborted-with.ts';
import type { ApiFaceDeps } from './api-face.ts';
import { remember } from './remember.ts';
import { jsonBody, keyed, onlyMethod, queryStringOf, sendPrivate, tenantOf } from './request.ts';

const readSearch = remember(parseSearchRequest);
const readSearchProvider = remember(parseSearchProviderRequest);

/** The Learning-Object API at its own address: the six operations with `x-api-key`, and our extension `search`. */
export function createLearningObjectEndpoints(deps: ApiFaceDeps): Router {
  const router = createProviderEndpoints(deps, 'x-api-key');
  const withKey = keyed(deps.access, 'learning-objects', 'x-api-key');
  router.all('/search', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = readSearch(queryStringOf(request));
    const { query, withDetails } = wanted;
    const learning = deps.learningOf(tenantOf(response));
    const answer = await learning.searchMany(query, { withDetails, signal: abortedWith(response) });
    sendPrivate(response, writeSearchResponse(wanted, answer));
  });
  return router;
}

/** The six operations that the API and the gateway share. The lists ask for no key; they are the default tenant's.
 *  @param header the one that carries the key */
export function createProviderEndpoints(deps: ApiFaceDeps, header: string): Router {
  const { access, feedback } = deps;
  const router = Router();
  const searching = keyed(access, 'learning-objects', header);
  router.all('/search-provider', onlyMethod('GET'), searching, async (request, response) => {
    const wanted = readSearchProvider(queryStringOf(request));
    const learning = deps.learningOf(tenantOf(response));
    const answer = await learning.searchProvider(wanted.query, { signal: abortedWith(response) });
    sendPrivate(response, writeSearchResponse(wanted, answer));
  });

  const commenting = keyed(access, 'feedback', header);
  router.all('/feedback', onlyMethod('POST'), commenting, jsonBody, async (request, response) => {
    const idempotencyKey = parseIdempotencyKey(request.get('idempotency-key'));
    const given = parseFeedbackRequest(request.body);
    // What was sent is kept, whether or not its sender waits for the answer.
    await feedback.giveFeedback(tenantOf(response), given, { role: 'program', idempotencyKey });
    sendPrivate(response, writeFeedbackResponse());
  });

  const learning = deps.learningOf(DEFAULT_TENANT);
  const list = (path: string, read: ReadList) => router.all(path, onlyMethod('GET'), sendList(read));
  list('/provider', async (options) => writeProviderResponse(await learning.listProviders(options)));
  list('/type', async (options) => writeTypeResponse(await learning.listTypes(options)));
  list('/bloom', async (options) => writeBloomResponse(await learning.listBlooms(options)));
  list('/lang', async (options) => writeLangResponse(await learning.listLanguages(options)));
  return router;
}

type ReadList = (options: CallOptions) => Promise<unknown>;

/** Lists change rarely, so they may be kept for an hour; Express adds the ETag. */
function sendList(read: ReadList): RequestHandler {
  return async (_request, response) => {
    const list = await read({ signal: abortedWith(response) });
    response.set('Cache-Control', 'public, max-age=3600').json(list);
  };
}
