import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import express, {
  type Request as Asked,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { ASSISTANT_PATH, ASSISTANT_SCOPE } from '#domain/assistants';
import { AppError } from '#errors';
import type { AssistantCaller } from '#services/tenants/assistants/assistants';
import { createAbortSignal, isGivenUp } from '../aborted-with.ts';
import { beginErrorAnswer } from '../app-errors.ts';
import { chooseLocale, type Languages } from '../words/i18n.ts';
import type { McpFaceDeps } from './deps.ts';
import { type AskedOfServer, createMcpServer } from './server.ts';

/** A text of 20,000 characters, each written as an escape. */
const MAX_BODY = '160kb';

/** The endpoint of Streamable HTTP: each request stands for itself, on whichever host, so that none
 *  keeps a session. It answers both the protocol since 2026-07-28 and the versions before it. */
export function createMcpEndpoint(deps: McpFaceDeps, languages: Languages): RequestHandler[] {
  const readJson = express.json({ limit: MAX_BODY, strict: false, type: () => true });
  const serve = createStatelessHandler(deps, languages);
  const address = deps.publicUrl + ASSISTANT_PATH;

  const admit: RequestHandler = async (request, response, next) => {
    response.set({ 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
    const origin = requireOwnPlace(request, deps.publicUrl);
    if (origin !== undefined) allowOrigin(response, origin);
    if (request.method === 'OPTIONS') return void response.status(204).end();
    response.locals.caller = await admitCaller(request, response, deps);
    next();
  };

  const requireOneMessage: RequestHandler = (request, response, next) => {
    if (request.method !== 'POST') {
      response.set('Allow', 'POST, OPTIONS');
      throw new AppError(
        'METHOD_NOT_ALLOWED',
        `This address answers POST only, not ${request.method}: there are no sessions.`,
      );
    }
    // Each message is one request of a key: a list would be many.
    if (Array.isArray(request.body))
      throw new AppError('PARAMETERS_INVALID', 'Send one message at a time: lists of them are not taken.');
    if (!request.is('application/json'))
      throw new AppError(
        'MEDIA_TYPE_UNSUPPORTED',
        'The body must be JSON. Send it with Content-Type: application/json.',
      );
    next();
  };

  const answer: RequestHandler = async (request, response) => {
    const asks: AskedOfServer = { method: request.body?.method, tool: request.body?.params?.name };
    const extra: Extra = {
      ...{ caller: response.locals.caller, languages: request.get('accept-language'), asked: asks },
    };
    const authInfo = { token: '', clientId: '', scopes: [], extra: { ...extra } };
    const signal = createAbortSignal(response);
    const asked = new Request(address, { method: 'POST', headers: pickHeaders(request), signal });
    await sendWhole(await serve(asked, { authInfo, parsedBody: request.body }), response);
  };

  return [admit, readJson, requireOneMessage, answer];
}

/** What the protocol says in headers; nothing else is its business. */
function pickHeaders({ headers }: Asked): [string, string][] {
  const named = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name));
  return named.map(([name, value]) => [name, String(value)]);
}

/** In one piece: answers are small, and each further piece costs as much as the search. As bytes: a
 *  text would be written anew. */
async function sendWhole(
  answer: Awaited<ReturnType<McpHttpHandler['fetch']>>,
  response: Response,
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  if (response.destroyed) return;
  response.status(answer.status).setHeaders(answer.headers).end(body);
}

interface Extra {
  readonly caller: AssistantCaller;
  readonly languages: string | undefined;
  readonly asked: AskedOfServer;
}

function createStatelessHandler(deps: McpFaceDeps, languages: Languages): McpHttpHandler['fetch'] {
  const factory: McpServerFactory = ({ authInfo }) => {
    if (authInfo?.extra === undefined) throw new TypeError('nobody was let in');
    const { caller, languages: wanted, asked } = authInfo.extra as unknown as Extra;
    const locale = chooseLocale(undefined, wanted);
    const { tenant, person } = caller;
    return createMcpServer(deps, { tenant, person, locale, t: languages.translatorOf(locale) }, asked);
  };
  const handler = createMcpHandler(factory, { maxSubscriptions: 0, onerror: ignoreRefusals });
  return async (request, options = {}) => {
    if (!(await isLegacyRequest(request, options.parsedBody))) return handler.fetch(request, options);
    // As JSON: the handler's own way answers in streams, which cost more, and nothing is said
    // before the result.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const { authInfo } = options;
    const server = await factory({ era: 'legacy', ...(authInfo && { authInfo }) });
    await server.connect(transport);
    return transport.handleRequest(request, options);
  };
}

/** What clients did wrong is told to them, and failures of tools are noted where they happen. */
function ignoreRefusals(): void {}

function allowOrigin(response: Response, origin: string): void {
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

/** Codes of JSON-RPC for what is refused before a message is read. */
const rpcCodes: Readonly<Record<string, number>> = {
  BODY_MALFORMED: -32_700,
  BODY_TOO_LARGE: -32_600,
  PARAMETERS_INVALID: -32_600,
  INTERNAL: -32_603,
};
const OTHER_CODE = -32_001;

/** Every error of the endpoint as a message of the protocol. */
export const answerMcpErrors: ErrorRequestHandler = (thrown: unknown, request: Asked, response, next) => {
  if (response.headersSent) return next(thrown);
  if (isGivenUp(thrown, response)) return;
  const { error, message, reference } = beginErrorAnswer(thrown, request, response);
  const code = rpcCodes[error.code] ?? OTHER_CODE;
  response.json({
    jsonrpc: '2.0',
    error: { code, message, data: { code: error.code, reference } },
    id: null,
  });
};

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** An address of a machine is nobody's name: no site can make a browser take it for its own. */
const MACHINE = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

/** Pages of other sites are refused, and so is a name that a site gave this host to reach it past
 *  the browser's rules (DNS rebinding).
 *  @returns the origin of a page that may ask; undefined for programs. Errors: ORIGIN_REFUSED. */
function requireOwnPlace({ hostname, headers }: Request, publicUrl: string): string | undefined {
  const own = [new URL(publicUrl).hostname, ...LOOPBACK];
  const { origin } = headers;
  const isHost = MACHINE.test(hostname) || validateHostHeader(hostname, own).ok;
  if (isHost && validateOriginHeader(origin, own).ok) return origin;
  throw new AppError(
    'ORIGIN_REFUSED',
    isHost
      ? 'Pages of other sites may not ask this address. Connect a program, or a page of this host.'
      : `This host is not known under this name. Ask at ${publicUrl}, or have its operator set PUBLIC_URL.`,
  );
}

/** Lets a request in, and says how many are left. Errors: those of `AssistantAccess`. */
async function admitCaller(
  request: Request,
  response: Response,
  { assistants, publicUrl }: McpFaceDeps,
): Promise<AssistantCaller> {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '') ?? [];
  try {
    const caller = await assistants.access.authorize(bearer);
    const { limit, remaining, resetSeconds } = caller.count;
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    return caller;
  } catch (error) {
    const challenge = error instanceof AppError ? writeChallenge(error, bearer, publicUrl) : null;
    if (challenge !== null) response.set('WWW-Authenticate', challenge);
    throw error;
  }
}

/** Where it is said how to get a token (RFC 9728, section 5.1); null where none would help. */
function writeChallenge({ code }: AppError, bearer: string | undefined, publicUrl: string): string | null {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="${ASSISTANT_SCOPE}"`;
  if (code === 'KEY_SCOPE') return `Bearer error="insufficient_scope", ${metadata}`;
  if (code !== 'TOKEN_INVALID') return null;
  return bearer === undefined ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
