import type { IncomingHttpHeaders } from 'node:http';
import type { McpHttpHandler, McpServerFactory } from '@modelcontextprotocol/server';
import {
  createMcpHandler,
  isLegacyRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { STATELESS_MCP_VERSION, type ToolCall, toolCall } from '#contract/index';
import { ASSISTANT_PATH, ASSISTANT_SCOPE } from '#domain/assistants';
import { AppError } from '#errors';
import type { AssistantCaller } from '#services/tenants/assistants/assistants';
import { createAbortSignal } from '../abort-signal.ts';
import { answerErrorsBy } from '../app-errors.ts';
import { setLimitHeaders } from '../page-headers.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { chooseLocale, type Languages, readLanguages } from '../words/i18n.ts';
import type { McpFaceDeps } from './deps.ts';
import { createOAuth } from './oauth/oauth.ts';
import { addStatelessFields, callMcpTool, createMcpServer, type ServerRequest } from './server.ts';

/** Enough for a text of 20,000 characters, each written as an escape. */
const MAX_BODY = '160kb';
/** Limit for the id of a message in characters, as the answer repeats it. */
const MAX_ID = 200;
const MAX_ERROR_BYTES = 4_000;
const MAX_CUT_MESSAGE = 500;
/** Bytes of a call that certainly has fewer arguments than the SDK allows. */
const MAX_PLAIN_CALL = 900;
const CONNECT_PAGE = '/connect#assistants';

type AnswerDeps = McpFaceDeps & { readonly languages: Languages };

export function createMcpFace(deps: McpFaceDeps): Router {
  const router = createStrictRouter();
  router.get(ASSISTANT_PATH, (request, response, next) => {
    // A person who opens the address is shown how to connect an assistant.
    if (request.accepts(['json', 'text/event-stream', 'html']) === 'html') response.redirect(303, CONNECT_PAGE);
    else next();
  });
  router.all(
    ASSISTANT_PATH,
    async (request, response, next) => {
      if (await admitMcpRequest(deps, request, response)) next();
    },
    express.json({ limit: MAX_BODY, strict: false, type: () => true }),
    requireOneMcpMessage,
    createMcpAnswer({ ...deps, languages: readLanguages() }),
  );
  router.use(ASSISTANT_PATH, sendMcpError);
  return router.use(createOAuth(deps));
}

/** Checks origin and caller of a request. Returns false for a request that it has answered. */
async function admitMcpRequest(deps: McpFaceDeps, request: Request, response: Response): Promise<boolean> {
  response.set({ 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
  const origin = requireTrustedMcpOrigin(request, deps.publicUrl);
  if (origin !== undefined) allowMcpOrigin(response, origin);
  if (request.method === 'OPTIONS') {
    response.status(204).end();
    return false;
  }
  response.locals.caller = await admitMcpCaller(deps, request, response);
  return true;
}

const requireOneMcpMessage: RequestHandler = (request, response, next) => {
  if (request.method !== 'POST') {
    response.set('Allow', 'POST, OPTIONS');
    throw new AppError(
      'METHOD_NOT_ALLOWED',
      `This address answers POST only, not ${request.method}: there are no sessions.`,
    );
  }
  // The limits of a key count each request as one message.
  if (Array.isArray(request.body))
    throw new AppError('PARAMETERS_INVALID', 'Send one message at a time: lists of them are not taken.');
  const { id } = (request.body ?? {}) as { readonly id?: unknown };
  if (typeof id === 'string' && id.length > MAX_ID)
    throw new AppError('PARAMETERS_INVALID', `The id of a message has at most ${MAX_ID} characters.`);
  if (!request.is('application/json'))
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', 'The body must be JSON. Send it with Content-Type: application/json.');
  next();
};

/** Answers a message over Streamable HTTP. No host keeps a session, so any host may answer. */
function createMcpAnswer(deps: AnswerDeps): RequestHandler {
  const serve = createStatelessMcpHandler(deps);
  const url = deps.publicUrl + ASSISTANT_PATH;
  return async (request, response) => {
    const result = await answerMcpCall(deps, request, response);
    if (result !== null) {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(result));
      return;
    }
    const extra: RequestExtra = {
      caller: response.locals.caller,
      acceptLanguage: request.get('accept-language'),
      serverRequest: { method: request.body?.method, tool: request.body?.params?.name },
    };
    const authInfo = { token: '', clientId: '', scopes: [], extra: { ...extra } };
    const signal = createAbortSignal(response);
    const headers = Object.entries(request.headers)
      .filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name))
      .map(([name, value]): [string, string] => [name, String(value)]);
    const webRequest = new globalThis.Request(url, { method: 'POST', headers, signal });
    const answer = await serve(webRequest, { authInfo, parsedBody: request.body });
    // Sent in one piece, as each further piece would cost as much as a search.
    const body = shortenMcpError(Buffer.from(await answer.arrayBuffer()));
    if (response.destroyed) return;
    answer.headers.delete('content-length');
    response.status(answer.status).setHeaders(answer.headers).end(body);
  };
}

/** Answers a valid call as the SDK would, which takes longer than the search; null for the rest. */
async function answerMcpCall(deps: AnswerDeps, { body, headers }: Request, response: Response) {
  const call = toolCall.safeParse(body);
  if (!call.success || !hasPlainMcpHeaders(headers, call.data.params)) return null;
  const { id, jsonrpc, params } = call.data;
  const reader = toMcpReader(deps, response.locals.caller, headers['accept-language']);
  const result = await callMcpTool(params, { deps, ...reader, signal: createAbortSignal(response) });
  if (result === null) return null;
  return { result: isStatelessCall(params) ? addStatelessFields(result, deps) : result, jsonrpc, id };
}

const isStatelessCall = ({ _meta }: ToolCall['params']): boolean => _meta !== undefined && !('progressToken' in _meta);

/** Tells whether the headers agree with the call, and nothing in them needs the SDK. */
function hasPlainMcpHeaders(headers: IncomingHttpHeaders, params: ToolCall['params']): boolean {
  const { accept = '', 'mcp-protocol-version': version, 'content-length': length } = headers;
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  const isRevisionPlain = isStatelessCall(params)
    ? version === STATELESS_MCP_VERSION && method === 'tools/call' && name === params.name
    : (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) &&
      method === undefined &&
      name === undefined;
  return (
    isRevisionPlain &&
    Number(length) <= MAX_PLAIN_CALL &&
    ['application/json', 'text/event-stream'].every((type) => accept.includes(type))
  );
}

function toMcpReader({ languages }: AnswerDeps, { tenant, person }: AssistantCaller, acceptLanguage?: string) {
  const locale = chooseLocale(undefined, acceptLanguage);
  return { tenant, person, locale, t: languages.translatorOf(locale) };
}

function shortenMcpError(body: Buffer): Buffer {
  if (body.length <= MAX_ERROR_BYTES || !body.includes('"error":{')) return body;
  const { error, ...message } = JSON.parse(body.toString('utf8')) as {
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (error === undefined) return body;
  const short = { code: error.code, message: error.message.slice(0, MAX_CUT_MESSAGE) };
  return Buffer.from(JSON.stringify({ ...message, error: short }));
}

interface RequestExtra {
  readonly caller: AssistantCaller;
  readonly acceptLanguage: string | undefined;
  readonly serverRequest: ServerRequest;
}

/** Serves all versions of the protocol with the SDK, without sessions. */
function createStatelessMcpHandler(deps: AnswerDeps): McpHttpHandler['fetch'] {
  const factory: McpServerFactory = ({ authInfo }) => {
    if (authInfo?.extra === undefined) throw new TypeError('the request was not admitted');
    const { caller, acceptLanguage, serverRequest } = authInfo.extra as unknown as RequestExtra;
    return createMcpServer(deps, toMcpReader(deps, caller, acceptLanguage), serverRequest);
  };
  // Errors are not logged: clients get theirs in the answer, and tools report those of the host.
  const handler = createMcpHandler(factory, { maxSubscriptions: 0, onerror: () => {} });
  return async (request, options = {}) => {
    if (!(await isLegacyRequest(request, options.parsedBody))) return handler.fetch(request, options);
    // JSON costs less than a stream, which would have nothing to send before the result.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const { authInfo } = options;
    const server = await factory({ era: 'legacy', ...(authInfo && { authInfo }) });
    await server.connect(transport);
    return transport.handleRequest(request, options);
  };
}

function allowMcpOrigin(response: Response, origin: string): void {
  response.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers':
      'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
    'Access-Control-Expose-Headers':
      'WWW-Authenticate, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  });
  response.vary('Origin');
}

const rpcCodes: Readonly<Record<string, number>> = {
  BODY_MALFORMED: -32_700,
  BODY_TOO_LARGE: -32_600,
  PARAMETERS_INVALID: -32_600,
  INTERNAL: -32_603,
};
const OTHER_CODE = -32_001;

const sendMcpError = answerErrorsBy(({ error, message, reference }, _, response) => {
  const code = rpcCodes[error.code] ?? OTHER_CODE;
  response.json({ jsonrpc: '2.0', error: { code, message, data: { code: error.code, reference } }, id: null });
});

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** DNS rebinding needs a name, so IP addresses are trusted. */
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

/** Returns the origin, if any. Errors: ORIGIN_REFUSED for other sites and for DNS rebinding. */
function requireTrustedMcpOrigin({ hostname, headers }: Request, publicUrl: string): string | undefined {
  const hosts = [new URL(publicUrl).hostname, ...LOOPBACK];
  const { origin } = headers;
  const isHost = IP_ADDRESS.test(hostname) || validateHostHeader(hostname, hosts).ok;
  if (isHost && validateOriginHeader(origin, hosts).ok) return origin;
  throw new AppError(
    'ORIGIN_REFUSED',
    isHost
      ? 'Pages of other sites may not ask this address. Connect a program, or a page of this host.'
      : `This host is not known under this name. Ask at ${publicUrl}, or have its operator set PUBLIC_URL.`,
  );
}

/** Authorises a request, and sets its rate limit headers. Errors: those of `authorize`. */
async function admitMcpCaller({ assistants, publicUrl }: McpFaceDeps, request: Request, response: Response) {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '') ?? [];
  try {
    const caller = await assistants.access.authorize(bearer);
    setLimitHeaders(response, caller.count);
    return caller;
  } catch (error) {
    const challenge = error instanceof AppError ? writeMcpChallenge(error, bearer, publicUrl) : null;
    if (challenge !== null) response.set('WWW-Authenticate', challenge);
    throw error;
  }
}

/** Writes a challenge that says where to get a token (RFC 9728, section 5.1), if one helps. */
function writeMcpChallenge({ code }: AppError, bearer: string | undefined, publicUrl: string): string | null {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="${ASSISTANT_SCOPE}"`;
  if (code === 'KEY_SCOPE') return `Bearer error="insufficient_scope", ${metadata}`;
  if (code !== 'TOKEN_INVALID') return null;
  return bearer === undefined ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
