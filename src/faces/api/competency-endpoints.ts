import { Router } from 'express';
import {
  parseSimilarRequest,
  parseSuggestRequest,
  parseTaggerRequest,
  writeSimilarResponse,
  writeSuggestResponse,
  writeTaggerResponse,
} from '../../contract/index.ts';
import type { ApiFaceDeps } from './api-face.ts';
import { jsonBody, keyed, onlyMethod, queryStringOf, sendPrivate } from './request.ts';

/** `similar`, `tagger` and `suggest`. */
export function createCompetencyEndpoints({ learning, access }: ApiFaceDeps): Router {
  const router = Router();
  const withKey = keyed(access, 'competency', 'x-api-key');

  router.all('/similar', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = parseSimilarRequest(queryStringOf(request));
    sendPrivate(response, writeSimilarResponse(wanted, await learning.similar(wanted)));
  });

  router.all('/tagger', onlyMethod('POST'), withKey, jsonBody, async (request, response) => {
    sendPrivate(response, writeTaggerResponse(await learning.tagger(parseTaggerRequest(request.body))));
  });

  router.all('/suggest', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = parseSuggestRequest(queryStringOf(request));
    sendPrivate(response, writeSuggestResponse(wanted, await learning.suggest(wanted)));
  });

  return router;
}
