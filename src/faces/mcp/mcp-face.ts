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
/** Characters of the id of a message, which its answer repeats. */
const MAX_ID = 200;
/** Bytes of an answer that is an error, and characters of its message where it has more. */
const MAX_ERROR = 4_000;
const MAX_MESSAGE = 500;
/** Bytes of a call that certainly has fewer arguments than the SDK allows. */
const MAX_PLAIN_CALL = 900;
const CONNECT_PAGE = '/connect#assistants';

export function createMcpFace(deps: McpFaceDeps): Router {
  const router = createStrictRouter();
  const languages = readLanguages();
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
    createMcpAnswer(deps, languages),
  );
  router.use(ASSISTANT_PATH, sendMcpError);
  return router.use(createOAuth(deps));
}

/** Checks where a request comes from and who sends it. False if it is answered already. */
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
function createMcpAnswer(deps: McpFaceDeps, languages: Languages): RequestHandler {
  const serve = createStatelessMcpHandler(deps, languages);
  const url = deps.publicUrl + ASSISTANT_PATH;
  return async (request, response) => {
    const result = await answerMcpCall(request, response, [deps, languages]);
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
    // In one piece, as each further one costs as much as a search; as bytes, encoded once.
    const body = shortenMcpError(Buffer.from(await answer.arrayBuffer()));
    if (response.destroyed) return;
    answer.headers.delete('content-length');
    response.status(answer.status).setHeaders(answer.headers).end(body);
  };
}

type AnswerDeps = Parameters<typeof createMcpAnswer>;

/** The message for a valid call of a tool, as the SDK would write it: its request, transport and
 *  server would take longer than the search. Null for all else, which the SDK answers. */
async function answerMcpCall({ body, headers }: Request, response: Response, [deps, languages]: AnswerDeps) {
  const call = toolCall.safeParse(body);
  if (!call.success || !hasPlainMcpHeaders(headers, call.data.params)) return null;
  const { id, jsonrpc, params } = call.data;
  const reader = toMcpReader(response.locals.caller, headers['accept-language'], languages);
  const result = await callMcpTool(params, { deps, ...reader, signal: createAbortSignal(response) });
  if (result === null) return null;
  return { result: isStatelessCall(params) ? addStatelessFields(result, deps) : result, jsonrpc, id };
}

const isStatelessCall = ({ _meta }: ToolCall['params']): boolean => _meta !== undefined && !('progressToken' in _meta);

/** Whether the headers agree with the call, and nothing in them needs the SDK. */
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

function toMcpReader({ tenant, person }: AssistantCaller, acceptLanguage: string | undefined, languages: Languages) {
  const locale = chooseLocale(undefined, acceptLanguage);
  return { tenant, person, locale, t: languages.translatorOf(locale) };
}

/** Cuts an error, as those of the SDK repeat the request, however long it is. */
function shortenMcpError(body: Buffer): Buffer {
  if (body.length <= MAX_ERROR || !body.includes('"error":{')) return body;
  const { error, ...message } = JSON.parse(body.toString('utf8')) as {
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (error === undefined) return body;
  const short = { code: error.code, message: error.message.slice(0, MAX_MESSAGE) };
  return Buffer.from(JSON.stringify({ ...message, error: short }));
}

interface RequestExtra {
  readonly caller: AssistantCaller;
  readonly acceptLanguage: string | undefined;
  readonly serverRequest: ServerRequest;
}

/** Serves the protocol since 2026-07-28, and the versions before it. */
function createStatelessMcpHandler(deps: McpFaceDeps, languages: Languages): McpHttpHandler['fetch'] {
  const factory: McpServerFactory = ({ authInfo }) => {
    if (authInfo?.extra === undefined) throw new TypeError('the request was not admitted');
    const { caller, acceptLanguage, serverRequest } = authInfo.extra as unknown as RequestExtra;
    return createMcpServer(deps, toMcpReader(caller, acceptLanguage, languages), serverRequest);
  };
  // Clients are told about their errors, and tools report their failures.
  const handler = createMcpHandler(factory, { maxSubscriptions: 0, onerror: () => {} });
  return async (request, options = {}) => {
    if (!(await isLegacyRequest(request, options.parsedBody))) return handler.fetch(request, options);
    // As JSON: a stream costs more, and has nothing to send before the result.
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
/** No site can have a browser mistake an IP address for its own name. */
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

/** Refuses pages of other sites, and DNS rebinding. @returns the origin of a page, if any */
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

/** Authorizes a request, and sets its rate limit headers. Errors: those of `authorize`. */
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

/** The challenge that says where to get a token (RFC 9728, section 5.1); null if none helps. */
function writeMcpChallenge({ code }: AppError, bearer: string | undefined, publicUrl: string): string | null {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="${ASSISTANT_SCOPE}"`;
  if (code === 'KEY_SCOPE') return `Bearer error="insufficient_scope", ${metadata}`;
  if (code !== 'TOKEN_INVALID') return null;
  return bearer === undefined ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
