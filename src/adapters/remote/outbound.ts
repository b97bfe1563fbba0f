import ipaddr from 'ipaddr.js';
import { Agent, request as sendRequest } from 'undici';
import { isLoopback } from '../../domain/loopback.ts';
import { AppError } from '../../errors.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../ports/outbound.ts';
import { createGuardedConnector, type LookupAll } from './guarded-connector.ts';
import { isPublicAddress } from './public-address.ts';

export interface OutboundOptions {
  /** Whether this machine may be called: for trying things out, and then by http as well. */
  readonly allowLoopback: boolean;
  /** Of this host itself, which may be called wherever it is: `http://127.0.0.1:3000`. None when absent. */
  readonly ownOrigin?: string;
  /** Whether addresses of private networks may be called: where platforms stand beside the host. */
  readonly allowPrivate: boolean;
  /** Of this program, for the `User-Agent`. */
  readonly version: string;
  /** The system's resolver by default. */
  readonly lookup?: LookupAll;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;
const PRIVATE_RANGES: readonly string[] = ['private', 'uniqueLocal', 'carrierGradeNat'];

/** Calls over connections that are kept open. */
export function createOutbound(options: OutboundOptions): Outbound & { close(): Promise<void> } {
  const { version, lookup } = options;
  const agentFor = (isAllowed: (address: string) => boolean) =>
    new Agent({ connect: createGuardedConnector({ isAllowed, timeoutMs: TIMEOUT_MS, lookup }) });
  const toOthers = agentFor(addressRule(options));
  const toItself = agentFor(() => true);
  return {
    async request(address, request = {}) {
      const url = readAddress(address, options);
      const { timeoutMs = TIMEOUT_MS } = request;
      const dispatcher = url.origin === options.ownOrigin ? toItself : toOthers;
      const headers = { 'user-agent': `Skilldock/${version}`, ...request.headers };
      return inTime(timeoutMs, (signal) => send(url, { ...request, headers }, { dispatcher, signal })).catch(
        (error: unknown) => {
          throw toOutboundError(error, url);
        },
      );
    },
    async close() {
      await Promise.all([toOthers.destroy(), toItself.destroy()]);
    },
  };
}

function addressRule({ allowLoopback, allowPrivate }: OutboundOptions): (address: string) => boolean {
  return (address) => {
    if (isPublicAddress(address)) return true;
    const range = ipaddr.isValid(address) ? ipaddr.process(address).range() : 'none';
    return (allowLoopback && range === 'loopback') || (allowPrivate && PRIVATE_RANGES.includes(range));
  };
}

function readAddress(address: string, { allowLoopback, ownOrigin }: OutboundOptions): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new AppError(
      'OUTBOUND_REFUSED',
      'That is no address of the web. Enter one that begins with https.',
    );
  if (url.username !== '' || url.password !== '')
    throw refused(url, 'has a name or password in it. Enter it without');
  const isHere = url.origin === ownOrigin || (allowLoopback && isLoopback(url.href));
  if (url.protocol === 'http:' && !isHere)
    throw refused(url, 'is not protected by TLS. Enter one that begins with https');
  url.hash = '';
  return url;
}

interface Way {
  readonly dispatcher: Agent;
  readonly signal: AbortSignal;
}

async function send(url: URL, request: OutboundRequest, way: Way): Promise<OutboundAnswer> {
  const { method = 'GET', headers = {}, body: sent = null, maxBytes = MAX_BYTES } = request;
  // Without this, what is read at most would have to be said of what is unpacked as well.
  const plain = { 'accept-encoding': 'identity', ...headers };
  const {
    statusCode,
    headers: got,
    body,
  } = await sendRequest(url, { method, headers: plain, body: sent, ...way });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw failed(url, `answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: statusCode, headers: joinValues(got), text: Buffer.concat(chunks).toString('utf8') };
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

/** Work whose time is bounded, whatever it does then: looking up a name cannot be given up. */
async function inTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = Object.assign(new Error('timed out'), { code: 'TIMEOUT' });
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const over = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(late), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

function toOutboundError(error: unknown, url: URL): AppError {
  if (!(error instanceof AppError)) {
    const last: unknown = error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error;
    const { code, name } = last as Readonly<Record<string, unknown>>;
    if (code === 'TIMEOUT') return failed(url, 'did not answer in time');
    // The error itself can hold bytes of a request, and a token among them.
    return failed(url, `cannot be reached (${typeof code === 'string' ? code : String(name)})`);
  }
  if (error.code !== 'UPSTREAM_ADDRESS_REFUSED') return error;
  return refused(url, 'is not on the public Internet, and this host calls no others. Enter a public one');
}

function refused({ host }: URL, why: string): AppError {
  return new AppError('OUTBOUND_REFUSED', `The address at ${host} ${why}.`);
}

function failed({ host }: URL, what: string): AppError {
  return new AppError('OUTBOUND_FAILED', `${host} ${what}. Try again later, or check the address.`);
}
