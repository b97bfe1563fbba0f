import { LRUCache } from 'lru-cache';
import { parseSearchResponse, writeSearchRequest } from '../../contract/index.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SearchAnswer, SearchOptions } from '../../ports/learning-service.ts';
import type { UpstreamConnection } from '../../ports/upstream.ts';
import type { Ask } from './ask.ts';
import { locate } from './endpoints.ts';

const MAX_UPSTREAMS = 500;
const HOUR_MS = 3600 * 1000;
const MINUTE_MS = 60 * 1000;

/** Services that are known not to have the extension, by its address there. It is the same for every key. */
export type ExtensionMemory = LRUCache<string, true>;

export function createExtensionMemory(clock: Clock): ExtensionMemory {
  const perf = { now: () => clock.now().getTime() };
  return new LRUCache({ max: MAX_UPSTREAMS, ttl: HOUR_MS, ttlResolution: 0, perf });
}

export interface ExtensionDeps {
  readonly ask: Ask;
  readonly extensions: ExtensionMemory;
}

/** Search by Skilldock's extension; null where the service does not have it. The specification mentions a `search` without
 *  showing it, so an answer counts only where it is recognised as ours. That there is none is remembered for an hour; for
 *  a minute where it was a failure that kept us from knowing. */
export function createExtensionSearch(connection: UpstreamConnection, { ask, extensions }: ExtensionDeps) {
  return async (query: LearningObjectQuery, options: SearchOptions = {}): Promise<SearchAnswer | null> => {
    // The gateway does not have it, and the service behind it has another key.
    if (connection.marketplace !== undefined) return null;
    const address = locate(connection, 'search').url.href;
    if (extensions.has(address)) return null;
    try {
      const body = await ask('search', { query: writeSearchRequest(query, options), signal: options.signal });
      if (isOurs(body)) return parseSearchResponse(body);
      extensions.set(address, true);
    } catch (error) {
      if (!isOfOthers(error)) throw error;
      extensions.set(address, true, { ttl: Number(error.data.status) >= 500 ? MINUTE_MS : HOUR_MS });
    }
    return null;
  };
}

/** Our echo lists the providers; the specified one has a single text. */
function isOurs(body: unknown): boolean {
  const { request } = (body ?? {}) as { request?: { provider?: unknown } };
  return Array.isArray(request?.provider);
}

/** Whether somebody answered so who does not know the address, in whichever way; a Skilldock that refuses says its code. */
function isOfOthers(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  const { status, upstreamCode } = error.data;
  if (upstreamCode !== undefined) return upstreamCode === 'PATH_UNKNOWN';
  return typeof status === 'number' && status !== 429;
}
