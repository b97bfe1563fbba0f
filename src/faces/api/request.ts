import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler, type Response } from 'express';
import type { ApiKeyScope } from '#domain/tenant';
import { AppError } from '#errors';
import type { Allowance, ApiAccess } from '#services/tenants/api-access';
import { setLimitHeaders } from '../page-headers.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** @returns false for OPTIONS, which it answers. Errors: METHOD_NOT_ALLOWED for other methods. */
export function admitRequestMethod(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  ...methods: readonly Method[]
): boolean {
  const allowed: readonly string[] = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : each));
  if (allowed.includes(method)) return true;
  response.setHeader('Allow', [...allowed, 'OPTIONS'].join(', '));
  if (method !== 'OPTIONS')
    throw new AppError('METHOD_NOT_ALLOWED', `This address answers ${methods.join(', ')} only, not ${method}.`);
  response.writeHead(204).end();
  return false;
}

export function requireRequestMethod(method: Method): RequestHandler {
  return (request, response, next) => {
    if (admitRequestMethod(request, response, method)) next();
  };
}

/** Checks the key of a request, and states its limits in headers. Errors: those of `ApiAccess`. */
export async function admitApiRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { access, scope, header }: { readonly access: ApiAccess; readonly scope: ApiKeyScope; readonly header: string },
): Promise<Pick<Allowance, 'tenantId' | 'keyId'>> {
  const key = readHeader(request, header);
  if (!key) response.setHeader('WWW-Authenticate', `ApiKey header="${header}"`);
  const allowance = await access.authorize(key, scope);
  response.setHeader('Cache-Control', 'private, no-store');
  setLimitHeaders(response, allowance);
  return allowance;
}

/** Reads a header that is sent once, or whose values Node joins. @param name in lower case */
export function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const MAX_BODY = '64kb';
const JSON_TYPE = /^application\/json(?:\s*;|$)/i;

const parseJson = express.json({
  limit: MAX_BODY,
  strict: false,
  verify: (_request, _response, bytes, encoding) => {
    // The parser accepts UTF-16, but RFC 8259 requires UTF-8.
    if (encoding !== 'utf-8') throw new AppError('MEDIA_TYPE_UNSUPPORTED', 'The body must be JSON in UTF-8.');
    // The parser would put replacement characters where bytes are invalid.
    if (!isUtf8(bytes)) throw new AppError('BODY_MALFORMED', 'The body is not valid UTF-8.');
  },
});

/** Sets `request.body`. Errors: MEDIA_TYPE_UNSUPPORTED, BODY_MALFORMED, those of the parser. */
export async function readRequestJson(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!JSON_TYPE.test(readHeader(request, 'content-type') ?? ''))
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', 'The body must be JSON. Send it with Content-Type: application/json.');
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Sends JSON without an ETag, as it may not be cached. @param body is JSON if it is a string */
export function sendUncachedJson(response: ServerResponse, body: unknown): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends a list, which rarely changes, to be cached for an hour; Express adds the ETag. */
export function sendList(response: Response, list: unknown): void {
  response.set('Cache-Control', 'public, max-age=3600').json(list);
}
