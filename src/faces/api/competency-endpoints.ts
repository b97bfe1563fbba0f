import { type Response, Router } from 'express';
import {
  parseSimilarRequest,
  parseSuggestRequest,
  parseTaggerRequest,
  writeSimilarResponse,
  writeSuggestResponse,
  writeTaggerResponse,
} from '../../contract/index.ts';
import type { ApiFaceDeps } from './api-face.ts';
import { jsonBody, keyed, onlyMethod, queryStringOf, sendPrivate, tenantOf } from './request.ts';

/** `similar`, `tagger` and `suggest`. */
export function createCompetencyEndpoints({ learningOf, access }: ApiFaceDeps): Router {
  const router = Router();
  const withKey = keyed(access, 'competency', 'x-api-key');
  const learningFor = (response: Response) => learningOf(tenantOf(response));

  router.all('/similar', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = parseSimilarRequest(queryStringOf(request));
    sendPrivate(response, writeSimilarResponse(wanted, await learningFor(response).similar(wanted)));
  });

  router.all('/tagger', onlyMethod('POST'), withKey, jsonBody, async (request, response) => {
    const wanted = parseTaggerRequest(request.body);
    sendPrivate(response, writeTaggerResponse(await learningFor(response).tagger(wanted)));
  });

  router.all('/suggest', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = parseSuggestRequest(queryStringOf(request));
    sendPrivate(response, writeSuggestResponse(wanted, await learningFor(response).suggest(wanted)));
  });

  return router;
}
