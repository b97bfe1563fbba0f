import { Agent, request as sendRequest } from 'undici';
import { classifyAddress, isOpenAddress, isPublicAddress } from '#domain/address-kinds';
import { isLoopback } from '#domain/loopback';
import type { PrivateAccess } from '#domain/private-hosts';
import { AppError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundFailure, OutboundRequest } from '#ports/outbound';
import { createGuardedConnector, type LookupAll } from './guarded-connector.ts';
import { findTransportReason } from './transport-errors.ts';

export interface OutboundOptions {
  /** Whether this machine may be called, also by http: for trying things out. */
  readonly allowLoopback: boolean;
  /** Origin of this host, which may always be called: `http://127.0.0.1:3000`. None when absent. */
  readonly ownOrigin?: string;
  /** What may be called in private networks and on this machine. */
  readonly privateAccess: PrivateAccess;
  /** Whether http is allowed everywhere: only where nothing secret is sent, and nothing received is trusted. False when absent. */
  readonly allowHttp?: boolean;
  /** Version of this program, for the `User-Agent`. */
  readonly version: string;
  /** The system's resolver by default. */
  readonly lookup?: LookupAll;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/** Calls over connections that are kept open. */
export function createOutbound(options: OutboundOptions): Outbound & { close(): Promise<void> } {
  const { version, lookup, privateAccess } = options;
  const { hosts: privateHosts } = privateAccess;
  const agentFor = (isAllowed: (address: string) => boolean, hosts = privateHosts) =>
    new Agent({
      connect: createGuardedConnector({ isAllowed, privateHosts: hosts, timeoutMs: TIMEOUT_MS, lookup }),
    });
  const isAllowed = addressRule(options);
  const toOthers = agentFor(isAllowed);
  // Apart, as a connection that is kept open is not checked again: nobody else may go on with one of an owner's.
  const toOwners = agentFor(privateAccess.isOpenToOwners ? isOpenAddress : isAllowed);
  const toPublic = agentFor(isAllowed, []);
  const toInternet = agentFor(isPublicAddress, []);
  const toItself = agentFor(() => true);
  const agentOf = (url: URL, request: OutboundRequest) => {
    const { ownersOrigin, isPublicOnly = false, isByStranger = false } = request;
    if (isByStranger) return toInternet;
    if (isPublicOnly) return toPublic;
    if (url.origin === options.ownOrigin) return toItself;
    return isOfOwner(url, ownersOrigin) ? toOwners : toOthers;
  };
  return {
    async request(address, request = {}) {
      const first = readAddress(address, options);
      const { timeoutMs = TIMEOUT_MS } = request;
      const headers = { 'user-agent': `Skilldock/${version}`, ...request.headers };
      const once = async (url: URL, signal: AbortSignal) => {
        const dispatcher = agentOf(url, request);
        try {
          return await send(url, { ...request, headers }, { dispatcher, signal });
        } catch (error) {
          throw toOutboundError(error, url, request);
        }
      };
      const follow = async (signal: AbortSignal) => {
        let url = first;
        for (let left = request.redirects ?? 0; ; left--) {
          const answer = await once(url, signal);
          const target = redirectTarget(answer, request);
          if (target === null) return answer;
          if (left === 0)
            throw failed(url, { what: 'sends on to other addresses for ever', failure: 'redirects' });
          url = readAddress(target, options);
        }
      };
      return inTime({ timeoutMs, given: request.signal }, follow).catch((error: unknown) => {
        request.signal?.throwIfAborted();
        throw toOutboundError(error, first, request);
      });
    },
    async close() {
      await Promise.all([toOthers, toOwners, toPublic, toInternet, toItself].map((agent) => agent.destroy()));
    },
  };
}

function addressRule({ allowLoopback }: OutboundOptions): (address: string) => boolean {
  return (address) => {
    const kind = classifyAddress(address);
    return kind === 'public' || (allowLoopback && kind === 'loopback');
  };
}

/** Whether an address has the origin that an owner entered, or the usual one of https on its host, to which many send on. */
function isOfOwner({ origin }: URL, ownersOrigin: string | undefined): boolean {
  if (ownersOrigin === undefined) return false;
  return origin === ownersOrigin || origin === `https://${new URL(ownersOrigin).hostname}`;
}

/** Where a redirect leads; null where the answer is the last one, or redirects are left to the caller. */
function redirectTarget(
  { status, headers, url }: OutboundAnswer,
  { method = 'GET', redirects = 0 }: OutboundRequest,
): string | null {
  const isFollowed = redirects > 0 && (method === 'GET' || method === 'HEAD');
  const { location } = headers;
  if (!isFollowed || location === undefined || ![301, 302, 303, 307, 308].includes(status)) return null;
  return URL.canParse(location, url) ? new URL(location, url).href : null;
}

function readAddress(address: string, { allowLoopback, ownOrigin, allowHttp = false }: OutboundOptions): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new AppError(
      'OUTBOUND_REFUSED',
      'That is no address of the web. Enter one that begins with https.',
    );
  if (url.username !== '' || url.password !== '')
    throw refused(url, 'has a name or password in it. Enter it without');
  const isOpen = allowHttp || url.origin === ownOrigin || (allowLoopback && isLoopback(url.href));
  if (url.protocol === 'http:' && !isOpen)
    throw refused(url, 'is not protected by TLS. Enter one that begins with https');
  url.hash = '';
  return url;
}

interface Way {
  readonly dispatcher: Agent;
  readonly signal: AbortSignal;
}

async function send(url: URL, request: OutboundRequest, way: Way): Promise<OutboundAnswer> {
  const { method = 'GET', headers = {}, body: sent = null } = request;
  // Without this, the limit of what is read would also have to hold for what is unpacked.
  const plain = { 'accept-encoding': 'identity', ...headers };
  const {
    statusCode,
    headers: got,
    body,
  } = await sendRequest(url, { method, headers: plain, body: sent, ...way });
  const bytes = await readBody(body as AsyncIterable<Buffer>, url, request);
  return {
    status: statusCode,
    headers: joinValues(got),
    text: bytes.toString('utf8'),
    bytes,
    url: url.href,
  };
}

async function readBody(
  body: AsyncIterable<Buffer>,
  url: URL,
  { maxBytes = MAX_BYTES, whenLonger = 'fail' }: OutboundRequest,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    chunks.push(chunk);
    // Leaving the loop ends the connection.
    if (size > maxBytes) break;
  }
  if (size > maxBytes && whenLonger === 'fail')
    throw failed(url, { what: `answered with more than ${maxBytes} bytes`, failure: 'too-long' });
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function joinValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** Work with a time limit, whatever it does afterwards: looking up a name cannot be cancelled. */
async function inTime<T>(
  { timeoutMs, given }: { readonly timeoutMs: number; readonly given: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const giveUp = () => controller.abort(given?.reason);
  given?.throwIfAborted();
  given?.addEventListener('abort', giveUp, { once: true });
  const late = Object.assign(new Error('timed out'), { code: 'TIMEOUT' });
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const over = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
  }
}

function toOutboundError(error: unknown, url: URL, { isPublicOnly = false }: OutboundRequest): AppError {
  if (!(error instanceof AppError)) {
    const last: unknown = error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error;
    const { code, name } = last as Readonly<Record<string, unknown>>;
    if (code === 'TIMEOUT') return failed(url, { what: 'did not answer in time', failure: 'timeout' });
    const told = typeof code === 'string' ? code : String(name);
    // The error itself can contain bytes of a request, even a token.
    const what = `cannot be reached: ${findTransportReason(told).what} (${told})`;
    return failed(url, { what, failure: failureOf(told) });
  }
  if (error.code !== 'UPSTREAM_ADDRESS_REFUSED') return error;
  const { message } = refused(
    url,
    isPublicOnly
      ? 'is not on the public Internet. Enter a public one, or ask an owner of this host to add it'
      : 'is not on the public Internet, and this host calls no others. Enter a public one, or have its operator name that host in ALLOW_PRIVATE',
  );
  return new AppError('OUTBOUND_REFUSED', message, { data: { failure: 'not-public' } });
}

function refused({ host }: URL, why: string): AppError {
  return new AppError('OUTBOUND_REFUSED', `The address at ${host} ${why}.`);
}

/** By the codes of Node, its TLS and undici. */
function failureOf(code: string): OutboundFailure {
  if (code === 'ENOTFOUND') return 'no-host';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  return /CERT|SELF_SIGNED|UNABLE_TO|^ERR_(?:TLS|SSL)/.test(code) ? 'certificate' : 'connection';
}

interface Failure {
  readonly what: string;
  readonly failure: OutboundFailure;
}

function failed({ host }: URL, { what, failure }: Failure): AppError {
  return new AppError('OUTBOUND_FAILED', `${host} ${what}. Try again later, or check the address.`, {
    data: { failure },
  });
}
