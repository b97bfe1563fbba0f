import { LRUCache } from 'lru-cache';
import { isProviderExtension, operations } from '#contract/index';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import type { UpstreamConnection } from '#ports/upstream';
import type { Ask, Question } from './ask.ts';
import { locateEndpoint } from './endpoints.ts';

const operation = operations.searchMany;

const MAX_UPSTREAMS = 500;
const HOUR_MS = 3600 * 1000;
const MINUTE_MS = 60 * 1000;

/** Which services have the extension, by its address there. It is the same for every key. */
export interface ExtensionMemory {
  readonly known: LRUCache<string, boolean>;
  /** Probes under way; they never reject. */
  readonly probes: Map<string, Promise<unknown>>;
}

export function createExtensionMemory(clock: Clock): ExtensionMemory {
  const perf = { now: () => clock.now().getTime() };
  const known = new LRUCache<string, boolean>({ max: MAX_UPSTREAMS, ttl: HOUR_MS, ttlResolution: 0, perf });
  return { known, probes: new Map() };
}

export interface ExtensionDeps {
  readonly ask: Ask;
  /** Used while it is unknown whether there is anything to ask: once, with little time, without policies. */
  readonly askOnce: Ask;
  readonly extensions: ExtensionMemory;
}

/** Search by Skilldock's extension; null where the service does not have it. The specification mentions a `search` without
 *  showing it, so an answer counts only if it is recognised as ours, and a search can fail only after that: at an address it does
 *  not have, a service may do anything, and must still be searched in the specified way. The finding is remembered for an hour;
 *  for a minute where there was none. */
export function createExtensionSearch(connection: UpstreamConnection, deps: ExtensionDeps) {
  const { known, probes } = deps.extensions;

  return async (query: LearningObjectQuery, options: CallOptions = {}): Promise<SearchAnswer | null> => {
    // The gateway does not have it, and the service behind it has another key.
    if (connection.marketplace !== undefined) return null;
    const { signal } = options;
    const { url, isEnteredByOwner } = locateEndpoint(connection, operation);
    // Whether it may be called at all is no finding for others.
    const address = isEnteredByOwner === true ? `${url.href} of an owner` : url.href;
    const question = { ...operation.writeRequest(query, options), signal };
    while (known.get(address) === undefined) {
      const underWay = probes.get(address);
      const found =
        underWay === undefined ? await probeOnce(address, question) : await underWay.then(() => null);
      signal?.throwIfAborted();
      if (found !== null) return found;
    }
    return known.get(address) ? searchKnown(address, question) : null;
  };

  /** Nobody else probes meanwhile: one probe is enough for a service that does not answer. */
  async function probeOnce(address: string, question: Question): Promise<SearchAnswer | null> {
    const probing = probe(address, question);
    probes.set(
      address,
      probing.catch(() => null),
    );
    try {
      return await probing;
    } finally {
      probes.delete(address);
    }
  }

  async function probe(address: string, question: Question): Promise<SearchAnswer | null> {
    try {
      const body = await deps.askOnce(operation, question);
      const answer = isOurs(body) ? operation.readAnswer(body) : null;
      known.set(address, answer !== null);
      return answer;
    } catch (error) {
      question.signal?.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      const whose = whoFailed(error);
      known.set(address, whose === 'ours', { ttl: whose === null ? MINUTE_MS : HOUR_MS });
      return null;
    }
  }

  async function searchKnown(address: string, question: Question): Promise<SearchAnswer | null> {
    try {
      const body = await deps.ask(operation, question);
      known.set(address, isOurs(body), { ttl: isOurs(body) ? HOUR_MS : MINUTE_MS });
      return isOurs(body) ? operation.readAnswer(body) : null;
    } catch (error) {
      if (whoFailed(error) !== 'others') throw error;
      // It may be back soon, for example after maintenance.
      known.set(address, false, { ttl: MINUTE_MS });
      return null;
    }
  }
}

function isOurs(body: unknown): boolean {
  const { request } = (body ?? {}) as { request?: Readonly<Record<string, unknown>> };
  return isProviderExtension(request ?? {});
}

/** Whether the extension failed, or something that does not know the address: a Skilldock that refuses gives its code. Null where
 *  that is unclear. */
function whoFailed(error: unknown): 'ours' | 'others' | null {
  if (!(error instanceof AppError)) return null;
  const { status, upstreamCode } = error.data;
  if (upstreamCode !== undefined) return upstreamCode === 'PATH_UNKNOWN' ? 'others' : 'ours';
  return typeof status === 'number' && status !== 429 && status < 500 ? 'others' : null;
}
