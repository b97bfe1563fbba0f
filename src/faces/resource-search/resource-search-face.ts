import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Keyring } from '#services/host/keyring';
import type { ApiAccess } from '#services/tenants/api-access';
import { createAbortSignal } from '../abort-signal.ts';
import { answerErrorsBy } from '../app-errors.ts';
import { setLimitHeaders } from '../page-headers.ts';
import { createStrictRouter, readStrictQuery } from '../strict-paths.ts';
import { listResourceSubjects, readResourceRequest, type SearchDeps, searchResources } from './search.ts';

interface ResourceSearchDeps extends SearchDeps {
  readonly access: ApiAccess;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

const BASE = '/ims/rs/v1p0';
const SCOPE = 'rs';
/** The accepted names of the scope: ours, and that of the conformance system. */
const scopeNames = [SCOPE, 'http://www.imsglobal.org/ltirs'];
const TOKEN_CONTEXT = 'resource search token';
const TOKEN_SECONDS = 3_600;

/** 1EdTech Resource Search 1.0, for programs with an API key of a tenant.
 *  1. `POST /ims/rs/v1p0/token` exchanges the key, as the secret of an OAuth 2 client, for a token:
 *     the sealed key and an expiry. Every host of the store can open it, and a revoked key ends it.
 *  2. `GET /resources` and `GET /subjects` answer with the resources of the key's tenant.
 *  Source: https://www.imsglobal.org/spec/lti-rs/v1p0/ */
export function createResourceSearchFace(deps: ResourceSearchDeps): Router {
  const router = createStrictRouter();
  const readBody = express.text({ type: ['application/x-www-form-urlencoded', 'application/json'], limit: '20kb' });
  router.post(`${BASE}/token`, readBody, answerResourceToken(deps), answerTokenErrors);
  router.get(`${BASE}/resources`, async (request, response) => {
    const tenantId = await admitToResourceSearch(deps, request, response);
    const query = readStrictQuery(request);
    const resourceRequest = readResourceRequest(query);
    const { resources, total } = await searchResources(deps, tenantId, resourceRequest, createAbortSignal(response));
    response.set({
      'X-Total-Count': `${total}`,
      Link: writeResourcePageLinks(deps.publicUrl + request.baseUrl + request.path, query, resourceRequest, total),
    });
    response.json({ resources });
  });
  router.get(`${BASE}/subjects`, async (request, response) => {
    const tenantId = await admitToResourceSearch(deps, request, response);
    response.json({ subjects: await listResourceSubjects(deps, tenantId) });
  });
  router.use(BASE, answerErrors);
  return router;
}

function answerResourceToken({ access, keyring, clock }: ResourceSearchDeps): RequestHandler {
  return async (request, response) => {
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    const form = readResourceTokenForm(request);
    if (form.get('grant_type') !== 'client_credentials')
      throw refuseResourceToken('unsupported_grant_type', 'grant_type must be client_credentials.');
    const requestedScopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    if (!requestedScopes.every((scope) => scopeNames.includes(scope)))
      throw refuseResourceToken('invalid_scope', `The scopes are ${scopeNames.join(' and ')}.`);
    const key = readResourceClientSecret(request) ?? form.get('client_secret') ?? undefined;
    await access.authorize(key, SCOPE);
    const endsAt = clock.now().getTime() + TOKEN_SECONDS * 1_000;
    const token = keyring.seal(JSON.stringify([key, endsAt]), TOKEN_CONTEXT);
    const scope = requestedScopes.length === 0 ? SCOPE : requestedScopes.join(' ');
    response.json({ access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope });
  };
}

/** The command-line client of Resource Search sends JSON, without the grant and with Basic. */
function readResourceTokenForm(request: Request): URLSearchParams {
  const text = typeof request.body === 'string' ? request.body : '';
  if (!request.is('application/json')) return new URLSearchParams(text);
  try {
    return new URLSearchParams({ grant_type: 'client_credentials', ...JSON.parse(text) });
  } catch {
    throw refuseResourceToken('invalid_request', 'The body is no JSON.');
  }
}

/** Reads the secret of Basic authentication, which is form-encoded (RFC 6749, section 2.3.1). */
function readResourceClientSecret(request: Request): string | undefined {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, secret] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return secret === undefined ? undefined : (new URLSearchParams(`s=${secret}`).get('s') ?? undefined);
}

const refuseResourceToken = (error: string, message: string) =>
  new AppError('PARAMETERS_INVALID', message, { data: { error } });

const answerTokenErrors = answerErrorsBy(({ error, message, statusCode }, _, response) => {
  const isKeyRefused = error.kind === 'unauthenticated' || error.kind === 'forbidden';
  if (isKeyRefused) response.status(401).set('WWW-Authenticate', 'Basic realm="Resource Search"');
  const requestError = statusCode >= 500 ? 'server_error' : 'invalid_request';
  const name = error.data.error ?? (isKeyRefused ? 'invalid_client' : requestError);
  response.json({ error: name, error_description: message });
});

function writeResourcePageLinks(
  path: string,
  query: URLSearchParams,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  total: number,
): string {
  const pages = {
    ...(offset + limit < total && { next: offset + limit }),
    last: Math.max(0, Math.floor((total - 1) / limit) * limit),
    first: 0,
    ...(offset > 0 && { prev: Math.max(0, offset - limit) }),
  };
  const fields = Object.fromEntries(query);
  const write = (start: number) => new URLSearchParams({ ...fields, limit: `${limit}`, offset: `${start}` });
  return Object.entries(pages)
    .map(([rel, start]) => `<${path}?${write(start)}>; rel="${rel}"`)
    .join(', ');
}

/** Returns the tenant whose key is in the token. Errors: KEY_MISSING, and those of `ApiAccess`. */
async function admitToResourceSearch(deps: ResourceSearchDeps, request: Request, response: Response): Promise<string> {
  response.set({
    'Cache-Control': 'private, no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Total-Count, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  });
  const allowance = await deps.access.authorize(openResourceSearchToken(deps, request), SCOPE);
  setLimitHeaders(response, allowance);
  return allowance.tenantId;
}

/** Returns the key in a token; undefined without a token, or for an invalid or expired one. */
function openResourceSearchToken({ keyring, clock }: ResourceSearchDeps, request: Request): string | undefined {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (token === undefined) return undefined;
  try {
    const [key, endsAt] = JSON.parse(keyring.open(token, TOKEN_CONTEXT)) as [string, number];
    return endsAt > clock.now().getTime() ? key : undefined;
  } catch {
    return undefined;
  }
}

const minorCodes: Readonly<Record<string, string>> = {
  invalid: 'invalid_query_parameter',
  unauthenticated: 'unauthorisedrequest',
  forbidden: 'forbidden',
  rate_limited: 'server_busy',
  unavailable: 'server_busy',
};

const answerErrors = answerErrorsBy(({ error, message, reference }, _, response) => {
  if (error.kind === 'unauthenticated') response.set('WWW-Authenticate', 'Bearer');
  response.json({
    imsx_codeMajor: 'failure',
    imsx_severity: 'error',
    imsx_description: `${message} (${reference})`,
    imsx_codeMinor: {
      imsx_codeMinorField: [
        {
          imsx_codeMinorFieldName: error.problems[0]?.path ?? error.code,
          imsx_codeMinorFieldValue: minorCodes[error.kind] ?? 'internal_server_error',
        },
      ],
    },
  });
});
