import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendReply, type UpstreamReplier, type UpstreamReply } from './upstream-replies.ts';
import {
  extension,
  goodBodies,
  OBJECTS_PER_PROVIDER,
  type SpecifiedOperation,
  operations as specified,
  type UpstreamCatalogue,
  type UpstreamOperation,
} from './upstream-specification.ts';

export type { UpstreamReply } from './upstream-replies.ts';

export const UPSTREAM_KEY = 'upstream-key+of/the=test';
export const MARKETPLACE_KEY = 'marketplace-key-of-the-test';

export interface UpstreamRequest {
  readonly operation: UpstreamOperation | 'search' | null;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface FakeUpstreamOptions {
  /** Ids of its providers; `tube` and `school` by default. */
  readonly providers?: readonly string[];
  /** How many learning objects each provider has, whatever is looked for; 25 by default. */
  readonly counts?: Readonly<Record<string, number>>;
  /** What is different about an object, by its provider and its rank from 0, in the words of the
   *  wire. */
  readonly objects?: (provider: string, rank: number) => object;
  /** Whether it is a Skilldock, and has its `search` as well; false by default. */
  readonly hasExtension?: boolean;
  /** Told of each request; what it gives is called when that one is answered or given up. */
  readonly watch?: (request: UpstreamRequest) => () => void;
}

export interface FakeUpstream {
  readonly url: string;
  readonly marketplaceUrl: string;
  /** What reached the fake, in order. */
  readonly requests: UpstreamRequest[];
  /** Requests that the other side gave up before they were answered, in the order of giving up. */
  readonly aborted: UpstreamRequest[];
  /** How many calls are under way, and the most that were at the same time. */
  atOnce(): number;
  mostAtOnce(): number;
  /** How an operation answers correct requests from now on, one reply after another, the last one
   *  for good. Keys, methods and parameters are checked before; a reply to `*` is given before all
   *  checks, whatever was asked. */
  reply(operation: UpstreamOperation | 'search' | '*', ...replies: (UpstreamReply | UpstreamReplier)[]): void;
  /** Nothing listens any more: connections are refused, and those that were open are gone. */
  stop(): Promise<void>;
  /** Listens again, at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A strict upstream on a real socket: it knows the specification and its two keys, and refuses
 *  everything else. It does not use our contract, so that a mistake there is not made on both
 *  sides. */
export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const requests: UpstreamRequest[] = [];
  const aborted: UpstreamRequest[] = [];
  const { reply, next } = createReplies();
  const catalogue = catalogueOf(options);
  const operations = options.hasExtension === true ? { ...specified, search: extension } : specified;
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer(async (incoming, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.once('close', () => atOnce--);
    // Whoever is killed in the middle of a request has not asked for anything.
    const request = await readRequest(incoming, operations).catch((error: unknown) => {
      if (incoming.complete) throw error;
    });
    if (request === undefined) return;
    requests.push(request);
    const end = options.watch?.(request) ?? (() => {});
    if (response.destroyed) end();
    else response.once('close', end);
    const found = next('*', request) ?? findRefusal(request, operations) ?? next(request.operation!, request) ?? {};
    response.once('close', () => {
      const isOurDoing = !server.listening || found.breaks?.startsWith('reset');
      if (!response.writableFinished && !isOurDoing) aborted.push(request);
    });
    const good = request.operation ? goodBodies[request.operation]({ ...request, ...catalogue }) : {};
    await sendReply(response, { body: found.change?.(good) ?? good, ...found });
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    marketplaceUrl: `${url}/gateway/lo`,
    requests,
    aborted,
    atOnce: () => atOnce,
    mostAtOnce: () => mostAtOnce,
    reply,
    stop: () => closeServer(server),
    restart: () => listen(server, port),
    close: () => closeServer(server),
  };
}

function catalogueOf({ providers = ['tube', 'school'], counts = {}, objects }: FakeUpstreamOptions): UpstreamCatalogue {
  return {
    providers,
    countOf: (provider) => counts[provider] ?? OBJECTS_PER_PROVIDER,
    object: objects ?? (() => ({})),
  };
}

function createReplies() {
  const replies = new Map<string, (UpstreamReply | UpstreamReplier)[]>();
  return {
    reply(operation: string, ...queue: (UpstreamReply | UpstreamReplier)[]): void {
      replies.set(operation, queue);
    },
    next(operation: string, request: UpstreamRequest): UpstreamReply | undefined {
      const queue = replies.get(operation) ?? [];
      const reply = queue.length > 1 ? queue.shift() : queue[0];
      return typeof reply === 'function' ? reply(request) : reply;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
}

function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  return closed;
}

const OWN_PATH = /^\/(?:domcomp\/v1|learningobject\/v2)\/([^/]+)$/;
const GATEWAY_PATH = /^\/gateway\/lo\/([^/]+)$/;

type KnownOperations = Readonly<Partial<Record<string, SpecifiedOperation>>>;

async function readRequest(incoming: IncomingMessage, operations: KnownOperations): Promise<UpstreamRequest> {
  const { pathname, searchParams } = new URL(incoming.url!, 'http://fake');
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  const name = (OWN_PATH.exec(pathname) ?? GATEWAY_PATH.exec(pathname))?.[1];
  const operation = Object.keys(operations).find((known) => known === name);
  return {
    operation: (operation ?? null) as UpstreamRequest['operation'],
    method: incoming.method!,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** What is wrong with a request, in the order in which a service would notice; the texts are
 *  nobody's in particular. */
function findRefusal(request: UpstreamRequest, operations: KnownOperations): UpstreamReply | undefined {
  const { operation, path, method, headers, query, body } = request;
  const isGateway = GATEWAY_PATH.test(path);
  const known = operation === null ? undefined : operations[operation];
  if (known === undefined || path !== addressOf(operation!, known, isGateway))
    return { status: 404, body: `<html><head><title>Cannot ${method} ${path}</title></head></html>` };
  if (method !== known.method) return { status: 405, body: { message: 'Method not allowed' } };
  const refusal = findKeyRefusal(headers, known.isKeyed, isGateway);
  if (refusal !== undefined) return refusal;
  const problem = known.check(method === 'GET' ? query : body);
  return problem === null ? undefined : { status: 400, body: { message: problem } };
}

function addressOf(operation: string, { family }: SpecifiedOperation, isGateway: boolean): string {
  if (isGateway)
    return family !== 'learning-objects' || operation === 'search'
      ? '(not at the gateway)'
      : `/gateway/lo/${operation}`;
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
  if (!isKeyed) return given === undefined ? undefined : { status: 400, body: { message: 'a key that nobody needs' } };
  if (given === undefined) return { status: 401, body: { message: 'Key is missing' } };
  // As some services do, it repeats the key it does not know.
  return given === (isGateway ? MARKETPLACE_KEY : UPSTREAM_KEY)
    ? undefined
    : { status: 403, body: { error: { message: `The key "${given}" is not known` } } };
}
