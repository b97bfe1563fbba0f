import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@opensearch-project/opensearch';
import { CircuitOpenError, createCircuitBreaker } from '#domain/async/circuit-breaker';
import type { CatalogTrouble } from '#domain/catalog';
import { AppError } from '#errors';
import { createMalformedError, createPausedError, explainFailure, isNoAnswer, TOO_LONG } from './errors.ts';

export interface OpenSearchOptions {
  /** Addresses of nodes without user and path; at least one. */
  readonly nodes: readonly string[];
  readonly user?: { readonly name: string; readonly password: string };
  /** A key that replaces the user. */
  readonly apiKey?: string;
  /** The file of the nodes' certificate authority; absent if the machine trusts it. */
  readonly caFile?: string;
  /** Limit of a search; 5,000 by default. */
  readonly timeoutMs?: number;
  /** The pause of the circuit breaker; 5,000 by default. */
  readonly pauseMs?: number;
}

export interface AskOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object | string;
  readonly signal?: AbortSignal | undefined;
  /** Limit of this request, instead of that of a search. */
  readonly timeoutMs?: number;
  /** A status of 400 or more that does not count as a failure. */
  readonly alsoStatus?: number;
  /** Whether it is part of filling an index, which the circuit breaker ignores. */
  readonly isBackground?: boolean;
}

export type OpenSearch = ReturnType<typeof openOpenSearch>;

const TIMEOUT_MS = 5_000;
const PAUSE_MS = 5_000;
const MAX_FAILURES = 5;

/** Opens a client, and sends nothing. Errors: CONFIG_INVALID for an unreadable certificate. */
export function openOpenSearch(options: OpenSearchOptions) {
  const { nodes, timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = options;
  const client = new Client({
    nodes: [...options.nodes],
    Connection: BoundedConnection,
    ...(options.user && { auth: { username: options.user.name, password: options.user.password } }),
    ...(options.apiKey !== undefined && { headers: { authorization: `ApiKey ${options.apiKey}` } }),
    ...(options.caFile !== undefined && { ssl: { ca: readOpenSearchCa(options.caFile) } }),
  });
  const breaker = createCircuitBreaker({ maxFailures: MAX_FAILURES, pauseMs, isFailure: isNoAnswer });
  let problem: AppError | null = null;
  let since = new Date();
  return {
    /** Returns parsed JSON. Errors: CATALOG_UNAVAILABLE with `data.reason`; that of the signal. */
    async ask<T>(request: AskOptions): Promise<T> {
      if (request.isBackground === true) return sendToOpenSearch<T>(client, { timeoutMs, ...request }, nodes);
      try {
        const answer = await breaker.run(() => sendToOpenSearch<T>(client, { timeoutMs, ...request }, nodes));
        problem = null;
        return answer;
      } catch (error) {
        const isPaused = error instanceof CircuitOpenError;
        const failure = isPaused ? createPausedError(nodes, pauseMs) : error;
        if (failure instanceof AppError && failure.data.reason !== 'index-missing') {
          if (problem === null) since = new Date();
          // The failure before a pause has the reason.
          if (problem === null || !isPaused) problem = failure;
        }
        throw failure;
      }
    },
    /** The last failure; null after a success. */
    get problem(): AppError | null {
      return problem;
    },
    /** The message of the last failure, and the time of the first one in a row. */
    get trouble(): CatalogTrouble | null {
      return problem && { problem: problem.message, since };
    },
    close: () => client.close(),
  };
}

const GRACE_MS = 250;

async function sendToOpenSearch<T>(
  client: Client,
  { method, path, query, body, alsoStatus, signal, timeoutMs }: AskOptions & { readonly timeoutMs: number },
  nodes: readonly string[],
): Promise<T> {
  signal?.throwIfAborted();
  const content = typeof body === 'string' ? { bulkBody: body } : body !== undefined && { body };
  const request = client.transport.request(
    { method, path, querystring: { ...query }, ...content },
    {
      requestTimeout: timeoutMs,
      // If a node cannot be reached, the client asks another one.
      maxRetries: nodes.length - 1,
      ...(alsoStatus !== undefined && { ignore: [alsoStatus] }),
    },
  );
  // `abort` returns a promise, which an event listener must not return.
  const abort = () => void request.abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  // The deadline of the client only applies to the first byte of an answer.
  const deadline = setTimeout(() => {
    isLate = true;
    abort();
  }, timeoutMs + GRACE_MS);
  try {
    const { body: answer } = await request;
    // Something else answers at the address: a page of a proxy, a redirect.
    if (typeof answer !== 'object' || answer === null) throw createMalformedError();
    return answer as T;
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFailure(error, { nodes, isLate });
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
  }
}

/** A longer time than the restart of a node takes. */
const PATIENCE_MS = 180_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Repeats work until the server answers, for three minutes.
 *  Errors: those of the work; the reason of the signal. @param work may run twice */
export async function repeatUntilAnswered<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isNoAnswer(error) || Date.now() > until) throw error;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Limit of an answer in characters, as parsing blocks the host. Ranks of 10,000 hits have 2 MB. */
const MAX_ANSWER = 8 * 2 ** 20;

/** Limits answers, as the client itself reads up to 512 MB. */
class BoundedConnection extends Connection {
  override request(...[params, callback]: Parameters<Connection['request']>) {
    return super.request(params, (error, response) => {
      let length = 0;
      callback(error, response);
      response?.on('data', (chunk: string | Buffer) => {
        length += chunk.length;
        if (length <= MAX_ANSWER || response.destroyed) return;
        // The client takes the message of the first error only.
        response.emit('error', new Error(TOO_LONG));
        response.destroy();
      });
    });
  }
}

function readOpenSearchCa(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', 'The certificate of the catalogue cannot be read.', {
      cause,
      problems: [{ path: 'CATALOG_CA', problem: `cannot be read at ${path}` }],
    });
  }
}
