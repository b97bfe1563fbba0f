import { errors } from '@opensearch-project/opensearch';
import { AppError } from '#errors';

/** Why the catalogue is not to be had. */
export type CatalogReason =
  | 'unreachable'
  | 'untrusted'
  | 'late'
  | 'refused'
  | 'busy'
  | 'unready'
  | 'index-missing'
  | 'unfilled'
  | 'too-large'
  | 'version'
  | 'paused'
  | 'failed';

const RETRY_SECONDS = 5;

export interface Failure {
  readonly nodes: readonly string[];
  /** Whether it was given up because its time was over. */
  readonly isLate?: boolean;
}

/** A failure in our words. The client's error is not passed on: it holds the request, and with it the headers. */
export function explainFailure(error: unknown, { nodes, isLate = false }: Failure): AppError {
  if (error instanceof AppError) return error;
  const where = nodes.map((node) => new URL(node).host).join(', ');
  const { reason, words } = isLate ? late : findReason(error);
  const { name, message } = error as Error;
  return createCatalogError(reason, `The catalogue at ${where} ${words}`, new Error(`${name}: ${message}`));
}

/** @param words a whole sentence, and what to do */
export function createCatalogError(reason: CatalogReason, words: string, cause?: Error): AppError {
  return new AppError('CATALOG_UNAVAILABLE', words, {
    ...(cause !== undefined && { cause }),
    retryAfterSeconds: RETRY_SECONDS,
    data: { reason },
  });
}

export function createPausedError(nodes: readonly string[], pauseMs: number): AppError {
  const where = nodes.map((node) => new URL(node).host).join(', ');
  const seconds = Math.ceil(pauseMs / 1000);
  return createCatalogError(
    'paused',
    `The catalogue at ${where} did not answer several times in a row; it is asked again in ${seconds} s. See whether its nodes are running.`,
  );
}

/** Whether an error says that nothing answers, or not in time. */
export function isSilence(error: unknown): boolean {
  const silent: readonly unknown[] = ['unreachable', 'late', 'busy', 'unready'] satisfies CatalogReason[];
  return error instanceof AppError && silent.includes(error.data.reason);
}

/** Whether an index, or a document's, is not there. */
export function isIndexMissing(error: unknown): boolean {
  return error instanceof AppError && error.data.reason === ('index-missing' satisfies CatalogReason);
}

interface Explained {
  readonly reason: CatalogReason;
  readonly words: string;
}

const late: Explained = { reason: 'late', words: 'did not answer in time. See how busy its nodes are.' };

function findReason(error: unknown): Explained {
  if (error instanceof errors.TimeoutError) return late;
  // The client passes on the message alone.
  if (error instanceof errors.ConnectionError && /certificate/i.test(error.message))
    return {
      reason: 'untrusted',
      words:
        'has a certificate that this host does not trust. Name the file of the certificate that it is signed with in CATALOG_CA, and the nodes in CATALOG_URL as it does.',
    };
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError)
    return {
      reason: 'unreachable',
      words:
        'cannot be reached. See whether its nodes are running, and whether CATALOG_URL and CATALOG_CA are right.',
    };
  if (error instanceof errors.ResponseError) return explainStatus(error.statusCode ?? 0, typeOf(error));
  return { reason: 'failed', words: 'could not be asked. The log says why.' };
}

function typeOf({ body }: errors.ResponseError): string {
  const { error } = (body ?? {}) as { error?: { type?: string } };
  return error?.type ?? '';
}

function explainStatus(status: number, type: string): Explained {
  if (status === 401 || status === 403)
    return {
      reason: 'refused',
      words:
        'refused the user or key of CATALOG_URL or CATALOG_API_KEY. Correct it, or give it the rights that the guide names.',
    };
  if (status === 413)
    return {
      reason: 'too-large',
      words: 'refused a request as too large. Raise its http.max_content_length.',
    };
  if (status === 429)
    return { reason: 'busy', words: 'has more to do than it can. It is asked again in a moment.' };
  // Also 404: a node that was started again does not know a point in time any more.
  if (status === 503 || type === 'search_phase_execution_exception')
    return {
      reason: 'unready',
      words:
        'has parts that cannot be searched now, or was started again in the middle. If it lasts, its state is red: see which shards are not assigned, and why.',
    };
  if (status === 404)
    return {
      reason: 'index-missing',
      words: 'has no such index. It is made again at once, or by skilldock catalog check.',
    };
  return { reason: 'failed', words: `answered ${status} ${type}. The log says more.` };
}
