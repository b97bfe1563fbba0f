import { readFileSync } from 'node:fs';
import { Client } from '@opensearch-project/opensearch';
import { CircuitOpenError, createCircuitBreaker } from '#domain/async/circuit-breaker';
import type { CatalogTrouble } from '#domain/catalog';
import { AppError } from '#errors';
import { createPausedError, explainFailure, isSilence } from './explain.ts';

export interface OpenSearchOptions {
  /** Addresses of nodes, without user and path; at least one. */
  readonly nodes: readonly string[];
  readonly user?: { readonly name: string; readonly password: string };
  /** Instead of a user. */
  readonly apiKey?: string;
  /** File of the certificate that the nodes' are signed with; absent for those that the machine trusts. */
  readonly caFile?: string;
  /** Of a search; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** Between a breaker that opened and the next try; 5,000 when absent. */
  readonly pauseMs?: number;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object | string;
  readonly signal?: AbortSignal | undefined;
  /** Instead of that of a search. */
  readonly timeoutMs?: number;
  /** A status that is an answer, too. */
  readonly alsoStatus?: number;
  /** Of bringing a version there, which goes on where searches are not sent, and whose failures say nothing about them. */
  readonly isWork?: boolean;
}

/** One client for the whole host: its connections are shared. */
export interface OpenSearch {
  /** Errors: CATALOG_UNAVAILABLE, with `data.reason`; the reason of the signal. */
  ask<T>(ask: Ask): Promise<T>;
  /** Why it was not to be had the last time it was asked; null where it answered. */
  readonly problem: AppError | null;
  /** The same in words, and since when. */
  readonly trouble: CatalogTrouble | null;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const PAUSE_MS = 5_000;
const MAX_FAILURES = 5;
/** For another node to answer, where one did not in time. */
const GRACE_MS = 250;

/** Errors: CONFIG_INVALID where the file of the certificate cannot be read. */
export function openOpenSearch(options: OpenSearchOptions): OpenSearch {
  const { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = options;
  const client = createClient(options);
  const breaker = createCircuitBreaker({ maxFailures: MAX_FAILURES, pauseMs, isFailure: isSilence });
  let problem: AppError | null = null;
  let since = new Date();

  async function send<T>({ method, path, query, body, alsoStatus, signal, ...own }: Ask): Promise<T> {
    signal?.throwIfAborted();
    const isLines = typeof body === 'string';
    const requestTimeout = own.timeoutMs ?? timeoutMs;
    const request = client.transport.request(
      {
        ...{ method, path, querystring: { ...query } },
        ...(body !== undefined && (isLines ? { bulkBody: body } : { body })),
      },
      {
        // Another node is asked where one cannot be reached.
        ...{ requestTimeout, maxRetries: options.nodes.length - 1 },
        ...(alsoStatus !== undefined && { ignore: [alsoStatus] }),
      },
    );
    // Node takes what a listener gives back for a promise that nobody looks after.
    const stop = () => void request.abort();
    signal?.addEventListener('abort', stop, { once: true });
    let isLate = false;
    // The client's own deadline is for silence, and ends with the first byte of an answer.
    const deadline = setTimeout(() => {
      isLate = true;
      stop();
    }, requestTimeout + GRACE_MS);
    try {
      return (await request).body as T;
    } catch (error) {
      signal?.throwIfAborted();
      throw explainFailure(error, { nodes: options.nodes, isLate });
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', stop);
    }
  }

  return {
    async ask<T>(ask: Ask) {
      if (ask.isWork === true) return send<T>(ask);
      try {
        const answer = await breaker.run(() => send<T>(ask));
        problem = null;
        return answer;
      } catch (error) {
        const told = error instanceof CircuitOpenError ? createPausedError(options.nodes, pauseMs) : error;
        if (told instanceof AppError && told.data.reason !== 'index-missing') {
          if (problem === null) since = new Date();
          // Why is said by what came before a pause.
          if (problem === null || told === error) problem = told;
        }
        throw told;
      }
    },
    get problem() {
      return problem;
    },
    get trouble() {
      return problem && { problem: problem.message, since };
    },
    close: () => client.close(),
  };
}

function createClient({ nodes, user, apiKey, caFile }: OpenSearchOptions): Client {
  return new Client({
    nodes: [...nodes],
    ...(user && { auth: { username: user.name, password: user.password } }),
    ...(apiKey !== undefined && { headers: { authorization: `ApiKey ${apiKey}` } }),
    ...(caFile !== undefined && { ssl: { ca: readCa(caFile) } }),
  });
}

function readCa(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', 'The certificate of the catalogue cannot be read.', {
      cause,
      problems: [{ path: 'CATALOG_CA', problem: `cannot be read at ${path}` }],
    });
  }
}
