import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express';
import * as contract from '#contract/index';
import { findNetworkOf } from '#domain/address-kinds';
import { ASSISTANT_PATH, ASSISTANT_SCOPE } from '#domain/assistants';
import { AppError } from '#errors';
import { beginErrorAnswer } from '#faces/app-errors';
import { createStrictRouter, readStrictQuery } from '#faces/strict-paths';
import { requireRatePoint } from '#services/host/rate-limits';
import { createRefusedError } from '#services/tenants/assistants/access';
import type { McpFaceDeps } from '../deps.ts';

const MAX_BODY = '16kb';

/** Serves OAuth 2.1 for assistants; a person signs in and answers on the admin page. Clients are
 *  public, so PKCE proves that a code belongs to it.
 *  Source: MCP authorization 2026-07-28; OAuth 2.1 draft; RFC 7591, 7636, 8414, 8707, 9207,
 *  9728. */
export function createOAuth(deps: McpFaceDeps): Router {
  const { publicUrl } = deps;
  const router = createStrictRouter();
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: MAX_BODY });
  const readJson = express.json({ limit: MAX_BODY, type: () => true });
  const resource = writeOAuthResourceMetadata(publicUrl);
  const server = writeOAuthServerMetadata(publicUrl);
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
    router.all(path, allowAnyOAuthOrigin('GET'), (_request, response) => void response.json(resource));
  router.all('/.well-known/oauth-authorization-server', allowAnyOAuthOrigin('GET'), (_request, response) => {
    response.json(server);
  });
  const attempt = limitOAuthAttempts(deps);
  router.get(oauthPaths.authorize, attempt, createOAuthAuthorize(deps));
  router.all(oauthPaths.token, allowAnyOAuthOrigin('POST'), attempt, readForm, createOAuthToken(deps));
  router.all(oauthPaths.revoke, allowAnyOAuthOrigin('POST'), attempt, readForm, createOAuthRevoke(deps));
  router.all(oauthPaths.register, allowAnyOAuthOrigin('POST'), readJson, createOAuthRegister(deps));
  return router.use(answerOAuthErrors);
}

/** Lets programs in pages of any site send requests, as no cookie authorises them. */
function allowAnyOAuthOrigin(method: 'GET' | 'POST'): RequestHandler {
  return (request, response, next) => {
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': 'content-type, authorization, mcp-protocol-version',
      'Cache-Control': method === 'GET' ? 'public, max-age=3600' : 'no-store',
    });
    if (request.method === 'OPTIONS') return void response.status(204).end();
    if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return next();
    response.set('Allow', `${method}, OPTIONS`);
    throw new AppError('METHOD_NOT_ALLOWED', `This address answers ${method} only, not ${request.method}.`);
  };
}

function limitOAuthAttempts({ assistantAttempts }: McpFaceDeps): RequestHandler {
  return async ({ ip }, _response, next) => {
    const write = (seconds: number) => `Too many requests from one address. Try again in ${seconds} s.`;
    await requireRatePoint(assistantAttempts, findNetworkOf(ip ?? ''), write);
    next();
  };
}

/** Stores the request, and redirects the browser to the page on which the person answers it. */
function createOAuthAuthorize({ assistants }: McpFaceDeps): RequestHandler {
  return async (request, response) => {
    const parsed = contract.authorizationParameters.safeParse(
      contract.readOauthFields(readStrictQuery(request)) ?? { client_id: 0 },
    );
    if (!parsed.success) throw createRefusedError('invalid_request', 'A parameter is there twice, or too long.');
    const { data } = parsed;
    const id = await assistants.authorizations.begin({
      clientId: data.client_id,
      redirectUri: data.redirect_uri,
      responseType: data.response_type,
      codeChallenge: data.code_challenge,
      codeChallengeMethod: data.code_challenge_method,
      scope: data.scope,
      state: data.state,
      resource: data.resource,
      address: request.ip ?? '',
    });
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    response.redirect(303, `/admin/connect/${id}`);
  };
}

function createOAuthToken({ assistants }: McpFaceDeps): RequestHandler {
  return async (request, response) => {
    const form = readOAuthForm(request);
    const parsed = contract.tokenRequest.safeParse(form);
    if (!parsed.success) throw createOAuthRefusal(form);
    const { grants } = assistants;
    const tokenForm = parsed.data;
    const { client_id: clientId, resource } = tokenForm;
    const tokens =
      tokenForm.grant_type === 'refresh_token'
        ? await grants.renew({ refreshToken: tokenForm.refresh_token, clientId, resource })
        : await grants.exchangeCode({
            code: tokenForm.code,
            clientId,
            resource,
            redirectUri: tokenForm.redirect_uri,
            codeVerifier: tokenForm.code_verifier,
          });
    response.json(contract.writeOauthTokens(tokens, ASSISTANT_SCOPE));
  };
}

/** Revokes a token. The answer is the same for unknown tokens (RFC 7009, section 2.2). */
function createOAuthRevoke({ assistants }: McpFaceDeps): RequestHandler {
  return async (request, response) => {
    const parsed = contract.revocationRequest.safeParse(readOAuthForm(request));
    if (!parsed.success) throw createRefusedError('invalid_request', 'token and client_id are needed, each once.');
    await assistants.grants.revoke(parsed.data.token, parsed.data.client_id);
    response.json({});
  };
}

function createOAuthRegister({ assistants }: McpFaceDeps): RequestHandler {
  return async (request, response) => {
    const parsed = contract.clientRegistration.safeParse(request.body);
    if (!parsed.success)
      throw createRefusedError('invalid_client_metadata', 'redirect_uris are needed: 1 to 10 addresses, as JSON.');
    const { client_name: name = '', redirect_uris: redirectUris } = parsed.data;
    const client = await assistants.clients.register({ name, redirectUris }, request.ip ?? '');
    response.status(201).json({
      client_id: client.id,
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: contract.grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: ASSISTANT_SCOPE,
    });
  };
}

function readOAuthForm({ body }: Request): Readonly<Record<string, string>> {
  const fields = typeof body === 'string' ? contract.readOauthFields(new URLSearchParams(body)) : {};
  if (fields !== null) return fields;
  throw createRefusedError('invalid_request', 'A parameter is there twice.');
}

function createOAuthRefusal({ grant_type: type = '' }: Readonly<Record<string, string>>): AppError {
  if (type !== '' && !contract.grantTypes.includes(type))
    return createRefusedError('unsupported_grant_type', `grant_type must be ${contract.grantTypes.join(' or ')}.`);
  return createRefusedError(
    'invalid_request',
    'As a form: client_id and, with authorization_code, code and code_verifier; with refresh_token, refresh_token.',
  );
}

/** Answers errors as in RFC 6749, section 5.2. At the start, browsers get the host's error page. */
const answerOAuthErrors: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
  const isStart = request.path === oauthPaths.authorize;
  if (isStart) response.vary('Accept');
  const isForPerson = isStart && request.accepts(['json', 'html']) === 'html';
  if (response.headersSent || isForPerson) return next(thrown);
  const { error, message, reference, statusCode } = beginErrorAnswer(thrown, request, response);
  const { error: name = statusCode >= 500 ? 'server_error' : 'invalid_request' } = error.data;
  if (name === 'invalid_client') response.status(401);
  response.json({ error: name, error_description: message, reference });
};

const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** Describes the protected resource, and the server that issues its tokens (RFC 9728). */
const writeOAuthResourceMetadata = (publicUrl: string) => ({
  resource: publicUrl + ASSISTANT_PATH,
  authorization_servers: [publicUrl],
  scopes_supported: [ASSISTANT_SCOPE],
  bearer_methods_supported: ['header'],
  resource_name: 'Skilldock',
  resource_documentation: `${publicUrl}/docs/guides/assistants`,
});

/** Describes the authorization server (RFC 8414, RFC 9207, client id metadata documents). */
const writeOAuthServerMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + oauthPaths.authorize,
  token_endpoint: publicUrl + oauthPaths.token,
  registration_endpoint: publicUrl + oauthPaths.register,
  revocation_endpoint: publicUrl + oauthPaths.revoke,
  scopes_supported: [ASSISTANT_SCOPE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl}/docs/guides/assistants`,
});
