import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { goodBodies, operations, type UpstreamOperation } from './upstream-specification.ts';

export const UPSTREAM_KEY = 'upstream-key+of/the=test';
export const MARKETPLACE_KEY = 'marketplace-key-of-the-test';

/** What the fake does instead of answering well. */
export interface UpstreamReply {
  /** 200 by default. */
  readonly status?: number;
  /** An object is sent as JSON, a text as it is; the good answer by default. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Compressed, whether the body is JSON or not. */
  readonly isPacked?: boolean;
  /** Nothing at all, or half of the body and then nothing, or the end of the connection in the place of either. */
  readonly breaks?: 'hang' | 'hang-in-body' | 'reset' | 'reset-in-body';
}

export interface UpstreamRequest {
  readonly operation: UpstreamOperation | null;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface FakeUpstream {
  readonly url: string;
  readonly marketplaceUrl: string;
  /** What reached the fake, in order. */
  readonly requests: UpstreamRequest[];
  /** Most calls that were under way at the same time. */
  mostAtOnce(): number;
  /** How an operation answers correct requests from now on, one reply after another, the last one for good. Keys,
   *  methods and parameters are checked before; a reply to `*` is given before all checks, whatever was asked. */
  reply(operation: UpstreamOperation | '*', ...replies: UpstreamReply[]): void;
  close(): Promise<void>;
}

/** A strict upstream on a real socket: it knows the specification and its two keys, and refuses everything else. It does
 *  not use our contract, so that a mistake there is not made on both sides. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const requests: UpstreamRequest[] = [];
  const replies = new Map<string, UpstreamReply[]>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const next = (operation: string): UpstreamReply | undefined => {
    const queue = replies.get(operation) ?? [];
    return queue.length > 1 ? queue.shift() : queue[0];
  };
  const server = createServer(async (incoming, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.once('close', () => atOnce--);
    const request = await readRequest(incoming);
    requests.push(request);
    const reply = next('*') ?? findRefusal(request) ?? next(request.operation!) ?? {};
    await answer(response, {
      body: request.operation ? goodBodies[request.operation](request) : {},
      ...reply,
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    marketplaceUrl: `${url}/gateway/lo`,
    requests,
    mostAtOnce: () => mostAtOnce,
    reply: (operation, ...next) => void replies.set(operation, next),
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

const OWN_PATH = /^\/(?:domcomp\/v1|learningobject\/v2)\/([^/]+)$/;
const GATEWAY_PATH = /^\/gateway\/lo\/([^/]+)$/;

async function readRequest(incoming: IncomingMessage): Promise<UpstreamRequest> {
  const { pathname, searchParams } = new URL(incoming.url!, 'http://fake');
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  const name = (OWN_PATH.exec(pathname) ?? GATEWAY_PATH.exec(pathname))?.[1];
  const operation = Object.keys(operations).find((known) => known === name) as UpstreamOperation | undefined;
  return {
    operation: operation ?? null,
    method: incoming.method!,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** What is wrong with a request, in the order in which a service would notice; the texts are nobody's in particular. */
function findRefusal(request: UpstreamRequest): UpstreamReply | undefined {
  const { operation, path, method, headers, query, body } = request;
  const isGateway = GATEWAY_PATH.test(path);
  if (operation === null || path !== addressOf(operation, isGateway))
    return { status: 404, body: `<html><head><title>Cannot ${method} ${path}</title></head></html>` };
  const specified = operations[operation];
  if (method !== specified.method) return { status: 405, body: { message: 'Method not allowed' } };
  const refusal = findKeyRefusal(headers, specified.isKeyed, isGateway);
  if (refusal !== undefined) return refusal;
  const problem = specified.check(method === 'GET' ? query : body);
  return problem === null ? undefined : { status: 400, body: { message: problem } };
}

function addressOf(operation: UpstreamOperation, isGateway: boolean): string {
  const { family } = operations[operation];
  if (isGateway) return family === 'competency' ? '(not at the gateway)' : `/gateway/lo/${operation}`;
  return family === 'competency' ? `/domcomp/v1/${operation}` : `/learningobject/v2/${operation}`;
}

function findKeyRefusal(
  headers: IncomingMessage['headers'],
  isKeyed: boolean,
  isGateway: boolean,
): UpstreamReply | undefined {
  const [wanted, other] = isGateway ? ['x-marketplace-key', 'x-api-key'] : ['x-api-key', 'x-marketplace-key'];
  const given = headers[wanted!];
  if (headers[other!] !== undefined) return { status: 400, body: { message: `${other} is not for here` } };
  if (!isKeyed)
    return given === undefined ? undefined : { status: 400, body: { message: 'a key that nobody needs' } };
  if (given === undefined) return { status: 401, body: { message: 'Key is missing' } };
  // As some services do, it repeats the key it does not know.
  return given === (isGateway ? MARKETPLACE_KEY : UPSTREAM_KEY)
    ? undefined
    : { status: 403, body: { error: { message: `The key "${given}" is not known` } } };
}

async function answer(response: ServerResponse, reply: UpstreamReply): Promise<void> {
  const { status = 200, body, headers = {}, delayMs = 0, isPacked = false, breaks } = reply;
  if (delayMs > 0) await sleep(delayMs);
  if (breaks === 'hang') return;
  if (breaks === 'reset') return void response.socket?.resetAndDestroy();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = isPacked ? gzipSync(text) : Buffer.from(text);
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    'content-length': bytes.length,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...headers,
  });
  if (breaks === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (breaks === 'reset-in-body') response.socket?.resetAndDestroy();
  });
}
