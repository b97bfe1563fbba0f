import { LRUCache } from 'lru-cache';
import { isProviderExtension, operations } from '#contract/index';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import type { UpstreamConnection } from '#ports/upstream';
import { type Ask, locateEndpoint, type Question } from './call.ts';

const operation = operations.searchMany;
const MAX_UPSTREAMS = 500;
const HOUR_MS = 3600 * 1000;
const MINUTE_MS = 60 * 1000;

/** Whether services have the extension, by its address, the same for every key. */
export interface ExtensionMemory {
  readonly supports: LRUCache<string, boolean>;
  /** Probes under way, which never reject. */
  readonly probes: Map<string, Promise<unknown>>;
}

export function createExtensionMemory(clock: Clock): ExtensionMemory {
  const perf = { now: () => clock.now().getTime() };
  const options = { max: MAX_UPSTREAMS, ttl: HOUR_MS, ttlResolution: 0, perf };
  return { supports: new LRUCache<string, boolean>(options), probes: new Map() };
}

interface ExtensionDeps {
  readonly ask: Ask;
  /** Asks with one call, with little time and without policies. */
  readonly askOnce: Ask;
  readonly extensions: ExtensionMemory;
}

/** Returns a search by Skilldock's extension, which gives null if the service does not have it.
 *  The specification mentions a `search` without showing it, so an answer counts only if it is
 *  recognised as that of a Skilldock, and a search can fail only after that: at an unknown
 *  address, a service may do anything, and must still be searched in the specified way. The
 *  outcome of a probe is stored for an hour; for a minute if it is unclear. */
export function createExtensionSearch(connection: UpstreamConnection, deps: ExtensionDeps) {
  const { supports, probes } = deps.extensions;
  return async (query: LearningObjectQuery, options: CallOptions = {}): Promise<SearchAnswer | null> => {
    // The gateway does not have it, and the service behind it has another key.
    if (connection.marketplace !== undefined) return null;
    const { signal } = options;
    const { url, isEnteredByOwner } = locateEndpoint(connection, operation);
    // Separate, as an address that only owners may call says nothing about the service.
    const address = isEnteredByOwner === true ? `${url.href} of an owner` : url.href;
    const question = { ...operation.writeRequest(query, options), signal };
    while (supports.get(address) === undefined) {
      const probe = probes.get(address);
      const answer = probe === undefined ? await probeAlone(deps, address, question) : await probe.then(() => null);
      signal?.throwIfAborted();
      if (answer !== null) return answer;
    }
    return supports.get(address) ? searchExtension(deps, address, question) : null;
  };
}

async function probeAlone(deps: ExtensionDeps, address: string, question: Question): Promise<SearchAnswer | null> {
  const { probes } = deps.extensions;
  const probe = probeExtension(deps, address, question);
  const settled = probe.catch(() => null);
  probes.set(address, settled);
  try {
    return await probe;
  } finally {
    probes.delete(address);
  }
}

async function probeExtension(
  { askOnce, extensions: { supports } }: ExtensionDeps,
  address: string,
  question: Question,
): Promise<SearchAnswer | null> {
  try {
    const body = await askOnce(operation, question);
    const answer = isExtensionAnswer(body) ? operation.readAnswer(body) : null;
    supports.set(address, answer !== null);
    return answer;
  } catch (error) {
    question.signal?.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    const source = findExtensionErrorSource(error);
    supports.set(address, source === 'extension', { ttl: source === null ? MINUTE_MS : HOUR_MS });
    return null;
  }
}

async function searchExtension(
  { ask, extensions: { supports } }: ExtensionDeps,
  address: string,
  question: Question,
): Promise<SearchAnswer | null> {
  try {
    const body = await ask(operation, question);
    const isExtension = isExtensionAnswer(body);
    supports.set(address, isExtension, { ttl: isExtension ? HOUR_MS : MINUTE_MS });
    return isExtension ? operation.readAnswer(body) : null;
  } catch (error) {
    if (findExtensionErrorSource(error) !== 'other') throw error;
    // It may be back soon, for example after maintenance.
    supports.set(address, false, { ttl: MINUTE_MS });
    return null;
  }
}

function isExtensionAnswer(body: unknown): boolean {
  const { request } = (body ?? {}) as { request?: Readonly<Record<string, unknown>> };
  return isProviderExtension(request ?? {});
}

/** `extension` if a Skilldock refused, `other` for a service without it; null if unclear. */
function findExtensionErrorSource(error: unknown): 'extension' | 'other' | null {
  if (!(error instanceof AppError)) return null;
  const { status, upstreamCode } = error.data;
  if (upstreamCode !== undefined) return upstreamCode === 'PATH_UNKNOWN' ? 'other' : 'extension';
  return typeof status === 'number' && status !== 429 && status < 500 ? 'other' : null;
}
