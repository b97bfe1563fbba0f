import { Agent, request as sendRequest } from 'undici';
import { classifyAddress, isOpenAddress, isPublicAddress } from '#domain/address-kinds';
import { runWithDeadline } from '#domain/async/deadline';
import { readUpTo } from '#domain/async/read-up-to';
import type { PrivateAccess } from '#domain/private-hosts';
import { findRedirectAddress, isLoopbackAddress, isSameSite } from '#domain/web-address';
import { AppError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundFailure, OutboundRequest } from '#ports/outbound';
import { createGuardedConnector } from './guarded-connector.ts';
import type { LookupAll } from './resolve-name.ts';
import { findTransportReason, readTransportCause } from './transport-errors.ts';

export interface OutboundOptions {
  /** Whether this machine may be called, also by http, for trials. */
  readonly allowLoopback: boolean;
  /** The origin of this host, which may always be called, such as `http://127.0.0.1:3000`. */
  readonly hostOrigin?: string;
  readonly privateAccess: PrivateAccess;
  /** Whether http is allowed, as nothing is secret or trusted; false by default. */
  readonly allowHttp?: boolean;
  /** The version of this program, for the `User-Agent`. */
  readonly version: string;
  /** Resolves names; by the file of hosts and DNS by default. */
  readonly lookup?: LookupAll;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/** Creates a client for calls to any address. Its connections stay open until it is closed. */
export function createOutbound(options: OutboundOptions): Outbound & { close(): Promise<void> } {
  const agents = createOutboundAgents(options);
  return {
    async request(address, request = {}) {
      return requestOutbound(readOutboundAddress(address, options), { options, agents, request });
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

/** Creates an agent for each set of addresses, as open connections are not checked again. */
function createOutboundAgents(options: OutboundOptions) {
  const { lookup, privateAccess } = options;
  const createAgent = (isAllowed: (address: string) => boolean, privateHosts = privateAccess.hosts) =>
    new Agent({ connect: createGuardedConnector({ isAllowed, privateHosts, timeoutMs: TIMEOUT_MS, lookup }) });
  const isOutboundAllowed = (address: string) => {
    const kind = classifyAddress(address);
    return kind === 'public' || (options.allowLoopback && kind === 'loopback');
  };
  return {
    usual: createAgent(isOutboundAllowed),
    ofOwners: createAgent(privateAccess.isOpenToOwners ? isOpenAddress : isOutboundAllowed),
    withoutPrivateHosts: createAgent(isOutboundAllowed, []),
    ofStrangers: createAgent(isPublicAddress, []),
    toThisHost: createAgent(() => true),
  };
}

interface RequestContext {
  readonly options: OutboundOptions;
  readonly agents: ReturnType<typeof createOutboundAgents>;
  readonly request: OutboundRequest;
}

function chooseOutboundAgent(url: URL, { options, agents, request }: RequestContext): Agent {
  const { ownersOrigin, isPublicOnly = false, isByStranger = false } = request;
  if (isByStranger) return agents.ofStrangers;
  if (isPublicOnly) return agents.withoutPrivateHosts;
  if (url.origin === options.hostOrigin) return agents.toThisHost;
  return isOfOwner(url, ownersOrigin) ? agents.ofOwners : agents.usual;
}

async function requestOutbound(first: URL, context: RequestContext): Promise<OutboundAnswer> {
  const { request, options } = context;
  const { method = 'GET', redirects = 0, timeoutMs = TIMEOUT_MS, signal } = request;
  const isFollowed = redirects > 0 && (method === 'GET' || method === 'HEAD');
  const follow = async (signal: AbortSignal) => {
    let url = first;
    for (let redirectsLeft = redirects; ; redirectsLeft--) {
      const answer = await requestOutboundOnce(url, context, signal);
      const target = isFollowed ? findRedirectAddress(answer.status, answer.headers.location, answer.url) : null;
      if (target === null) return answer;
      if (redirectsLeft === 0) throw createOutboundFailure(url, 'redirects', 'redirects endlessly');
      const next = readOutboundAddress(target, options);
      if (request.staysOnSite && !isSameSite(next.href, first.href))
        throw createOutboundFailure(url, 'redirects', `redirects to ${next.host}`);
      url = next;
    }
  };
  const createLateError = () => createOutboundFailure(first, 'timeout', 'did not answer in time');
  return runWithDeadline({ timeoutMs, signal, createLateError }, follow);
}

async function requestOutboundOnce(url: URL, context: RequestContext, signal: AbortSignal): Promise<OutboundAnswer> {
  const { request, options } = context;
  const { method = 'GET', body = null, maxBytes = MAX_BYTES, whenLonger = 'fail' } = request;
  // Without `identity`, a small packed answer could unpack to more than the limit.
  const headers = { 'accept-encoding': 'identity', 'user-agent': `Skilldock/${options.version}`, ...request.headers };
  try {
    const dispatcher = chooseOutboundAgent(url, context);
    const answer = await sendRequest(url, { method, headers, body, dispatcher, signal });
    const { bytes, isLonger } = await readUpTo(answer.body, maxBytes);
    if (isLonger && whenLonger === 'fail')
      throw createOutboundFailure(url, 'too-long', `answered with more than ${maxBytes} bytes`);
    const { statusCode: status } = answer;
    return { status, headers: joinValues(answer.headers), text: bytes.toString('utf8'), bytes, url: url.href };
  } catch (error) {
    throw toOutboundError(error, url, request);
  }
}

function isOfOwner({ origin }: URL, ownersOrigin: string | undefined): boolean {
  if (ownersOrigin === undefined) return false;
  return origin === ownersOrigin || origin === `https://${new URL(ownersOrigin).hostname}`;
}

function readOutboundAddress(address: string, { allowLoopback, hostOrigin, allowHttp = false }: OutboundOptions): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new AppError('OUTBOUND_REFUSED', 'That is not a web address. Enter one that begins with https.');
  if (url.username !== '' || url.password !== '')
    throw createOutboundRefusal(url, 'has a name or password in it. Enter it without');
  const isOpen = allowHttp || url.origin === hostOrigin || (allowLoopback && isLoopbackAddress(url.href));
  if (url.protocol === 'http:' && !isOpen)
    throw createOutboundRefusal(url, 'is not protected by TLS. Enter one that begins with https');
  url.hash = '';
  return url;
}

function joinValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function toOutboundError(error: unknown, url: URL, { isPublicOnly = false }: OutboundRequest): AppError {
  if (!(error instanceof AppError)) {
    const { code } = readTransportCause(error);
    // The error itself can contain bytes of a request, even a token.
    const problem = `cannot be reached: ${findTransportReason(code).problem} (${code})`;
    return createOutboundFailure(url, findOutboundFailure(code), problem);
  }
  if (error.code !== 'UPSTREAM_ADDRESS_REFUSED') return error;
  const { message } = createOutboundRefusal(
    url,
    isPublicOnly
      ? 'is not on the public Internet. Enter a public one, or ask an owner of this host to add it'
      : 'is not on the public Internet, and this host calls no others. Enter a public one, or have its operator name that host in ALLOW_PRIVATE',
  );
  return new AppError('OUTBOUND_REFUSED', message, { data: { failure: 'not-public' } });
}

const createOutboundRefusal = ({ host }: URL, problem: string): AppError =>
  new AppError('OUTBOUND_REFUSED', `The address at ${host} ${problem}.`);

/** Finds the kind of a failure by the code of Node, its TLS or undici. */
function findOutboundFailure(code: string): OutboundFailure {
  if (code === 'ENOTFOUND') return 'no-host';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  return /CERT|SELF_SIGNED|UNABLE_TO|^ERR_(?:TLS|SSL)/.test(code) ? 'certificate' : 'connection';
}

function createOutboundFailure({ host }: URL, failure: OutboundFailure, problem: string): AppError {
  return new AppError('OUTBOUND_FAILED', `${host} ${problem}. Try again later, or check the address.`, {
    data: { failure },
  });
}
