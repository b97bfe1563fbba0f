import { type Response, Router } from 'express';
import {
  parseSimilarRequest,
  parseSuggestRequest,
  parseTaggerRequest,
  writeSimilarResponse,
  writeSuggestResponse,
  writeTaggerResponse,
} from '../../contract/index.ts';
import { abortedWith } from '../aborted-with.ts';
import type { ApiFaceDeps } from './api-face.ts';
import { jsonBody, keyed, onlyMethod, queryStringOf, sendPrivate, tenantOf } from './request.ts';

/** `similar`, `tagger` and `suggest`. */
export function createCompetencyEndpoints({ learningOf, access }: ApiFaceDeps): Router {
  const router = Router();
  const withKey = keyed(access, 'competency', 'x-api-key');
  const learningFor = (response: Response) => learningOf(tenantOf(response));

  router.all('/similar', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = parseSimilarRequest(queryStringOf(request));
    const terms = await learningFor(response).similar(wanted, { signal: abortedWith(response) });
    sendPrivate(response, writeSimilarResponse(wanted, terms));
  });

  router.all('/tagger', onlyMethod('POST'), withKey, jsonBody, async (request, response) => {
    const wanted = parseTaggerRequest(request.body);
    const tags = await learningFor(response).tagger(wanted, { signal: abortedWith(response) });
    sendPrivate(response, writeTaggerResponse(tags));
  });

  router.all('/suggest', onlyMethod('GET'), withKey, async (request, response) => {
    const wanted = parseSuggestRequest(queryStringOf(request));
    const answer = await learningFor(response).suggest(wanted, { signal: abortedWith(response) });
    sendPrivate(response, writeSuggestResponse(wanted, answer));
  });

  return router;
}
