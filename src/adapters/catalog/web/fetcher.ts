import { setTimeout as wait } from 'node:timers/promises';
import { readRetryAfterMs, showWebAddress } from '#domain/web-address';
import { AppError, hasErrorCode } from '#errors';
import type { SourceProblem } from '#ports/imports';
import type { Outbound, OutboundAnswer, OutboundFailure } from '#ports/outbound';

interface FetchOptions {
  readonly signal: AbortSignal;
  readonly accept?: string;
  /** Limit of an answer; `MAX_TEXT_BYTES` by default. */
  readonly maxBytes?: number;
}

/** Requests an address, and waits for busy hosts (429, 502, 503, 504). Returns answers of any other
 *  status. Errors: SOURCE_UNAVAILABLE; IMPORT_INVALID for a forbidden address. */
export type Fetch = (url: string, options: FetchOptions) => Promise<OutboundAnswer>;

export interface WebContext {
  readonly fetch: Fetch;
  readonly pauseMs: number;
  readonly maxPages: number;
}

export interface FetcherOptions {
  readonly outbound: Outbound;
  /** The origin of an address that an owner of this host or a command entered. */
  readonly ownersOrigin?: string;
  /** Whether private hosts that the operator allows are refused, too; false by default. */
  readonly isPublicOnly?: boolean;
  /** The pause before the second attempt, doubled before each further one; a second by default. */
  readonly retryMs?: number;
  /** The longest accepted `Retry-After`; two minutes by default. */
  readonly maxWaitSeconds?: number;
}

const TRIES = 4;
const TIMEOUT_MS = 60_000;
/** Limit of a text. One of this length keeps its thread busy for a second or two. */
export const MAX_TEXT_BYTES = 8 * 1_048_576;
const MAX_REDIRECTS = 5;

export function createFetcher(options: FetcherOptions): Fetch {
  const { outbound, ownersOrigin, isPublicOnly = false, retryMs = 1_000, maxWaitSeconds = 120 } = options;
  return async (url, { signal, accept = '*/*', maxBytes = MAX_TEXT_BYTES }) => {
    const fetchOnce = () =>
      outbound.request(url, {
        headers: { accept },
        timeoutMs: TIMEOUT_MS,
        maxBytes,
        redirects: MAX_REDIRECTS,
        ...(ownersOrigin !== undefined && { ownersOrigin }),
        isPublicOnly,
        signal,
      });
    for (let tried = 1; ; tried++) {
      const pauseMs = retryMs * 2 ** (tried - 1);
      const outcome = await fetchOnce().catch((error: unknown) => {
        signal.throwIfAborted();
        return { error };
      });
      if ('status' in outcome && ![429, 502, 503, 504].includes(outcome.status)) return outcome;
      const waitMs =
        'error' in outcome ? pauseMs : (readRetryAfterMs(outcome.headers['retry-after'], Date.now()) ?? pauseMs);
      const isLast = tried === TRIES || waitMs > maxWaitSeconds * 1_000;
      if ('error' in outcome && (isLast || !isTemporaryFailure(outcome.error))) throw toSourceError(outcome.error);
      if ('status' in outcome && isLast)
        throw createSourceError(
          'busy',
          `${new URL(outcome.url).host} is too busy (status ${outcome.status}). Try again later: an import continues where it stopped, if its source allows that.`,
        );
      await wait(waitMs, undefined, { signal });
    }
  };
}

function isTemporaryFailure(error: unknown): boolean {
  if (!hasErrorCode(error, 'OUTBOUND_FAILED')) return false;
  return error.data.failure === 'connection' || error.data.failure === 'timeout';
}

function toSourceError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const code = error.code === 'OUTBOUND_REFUSED' ? 'IMPORT_INVALID' : 'SOURCE_UNAVAILABLE';
  const failure = error.data.failure as OutboundFailure | 'not-public' | undefined;
  const reason: SourceProblem | undefined = failure === 'connection' ? 'refused' : failure;
  return new AppError(code, error.message, { cause: error, data: { reason } });
}

const createSourceError = (reason: SourceProblem, message: string): AppError =>
  new AppError('SOURCE_UNAVAILABLE', message, { data: { reason } });

/** Throws SOURCE_UNAVAILABLE for a status that is not a success. */
export function requireFetchedPage({ status, url }: OutboundAnswer): void {
  if (status >= 200 && status < 300) return;
  const advice =
    status >= 500 ? 'The site has a problem: try again later.' : 'Open it in a browser, and check the address.';
  throw createSourceError(
    classifyFailure(status),
    `${showWebAddress(url)} answered with the status ${status}. ${advice}`,
  );
}

function classifyFailure(status: number): SourceProblem {
  if (status >= 500) return 'server-error';
  return status === 401 || status === 403 ? 'forbidden' : 'not-found';
}
