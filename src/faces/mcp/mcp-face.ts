import type { Router } from 'express';
import { ASSISTANT_PATH } from '#domain/assistants';
import { createStrictRouter } from '../strict-paths.ts';
import { readLanguages } from '../words/i18n.ts';
import type { McpFaceDeps } from './deps.ts';
import { answerMcpErrors, createMcpEndpoint } from './endpoint.ts';
import { createOAuth } from './oauth/oauth.ts';

/** The services for assistants, over the Model Context Protocol, and how people let assistants
 *  in. */
export function createMcpFace(deps: McpFaceDeps): Router {
  const router = createStrictRouter();
  router.all(ASSISTANT_PATH, ...createMcpEndpoint(deps, readLanguages()));
  router.use(ASSISTANT_PATH, answerMcpErrors);
  return router.use(createOAuth(deps));
}
