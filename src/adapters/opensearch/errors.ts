import { errors } from '@opensearch-project/opensearch';
import { AppError } from '#errors';

/** The `data.reason` of CATALOG_UNAVAILABLE. */
type CatalogReason =
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

export function createCatalogError(reason: CatalogReason, message: string, cause?: Error): AppError {
  return new AppError('CATALOG_UNAVAILABLE', message, {
    ...(cause !== undefined && { cause }),
    retryAfterSeconds: RETRY_SECONDS,
    data: { reason },
  });
}

type Failure = { readonly nodes: readonly string[]; readonly isLate?: boolean };

/** Explains an error of the client, which is not the cause, as it has headers of the request. */
export function explainFailure(error: unknown, { nodes, isLate = false }: Failure): AppError {
  if (error instanceof AppError) return error;
  const { reason, text } = isLate ? late : explainOpenSearchError(error);
  const { name, message } = error as Error;
  return createCatalogError(reason, `The catalogue at ${listHosts(nodes)} ${text}`, new Error(`${name}: ${message}`));
}

/** The message of the error for an answer that is longer than this host reads. */
export const TOO_LONG = 'The answer is too long';

export function createMalformedError(): AppError {
  return createCatalogError(
    'failed',
    'What answers at CATALOG_URL does not answer as OpenSearch does. See whether a proxy stands before its nodes.',
  );
}

/** Creates the error for an answer without some shards, which would count and show too little. */
export function createPartialError(): AppError {
  return createCatalogError(
    'unready',
    'Some parts of the catalogue cannot be searched now. If it lasts, see which shards are not assigned, and why.',
  );
}

export function createPausedError(nodes: readonly string[], pauseMs: number): AppError {
  const seconds = Math.ceil(pauseMs / 1000);
  return createCatalogError(
    'paused',
    `The catalogue at ${listHosts(nodes)} did not answer several times in a row; it is asked again in ${seconds} s. See whether its nodes are running.`,
  );
}

const listHosts = (nodes: readonly string[]): string => nodes.map((node) => new URL(node).host).join(', ');

/** Whether a request got no answer in time, so that it may be repeated. */
export function isNoAnswer(error: unknown): boolean {
  const reasons: readonly unknown[] = ['unreachable', 'late', 'busy', 'unready'] satisfies CatalogReason[];
  return error instanceof AppError && reasons.includes(error.data.reason);
}

export const isIndexMissing = (error: unknown): boolean =>
  error instanceof AppError && error.data.reason === ('index-missing' satisfies CatalogReason);

interface Explanation {
  readonly reason: CatalogReason;
  /** The rest of a sentence that begins with "The catalogue", and advice. */
  readonly text: string;
}

const late: Explanation = { reason: 'late', text: 'did not answer in time. See how busy its nodes are.' };

function explainOpenSearchError(error: unknown): Explanation {
  if (error instanceof errors.TimeoutError) return late;
  if (error instanceof errors.ResponseError) {
    const { error: body } = (error.body ?? {}) as { error?: { type?: string } };
    return explainOpenSearchStatus(error.statusCode ?? 0, body?.type ?? '');
  }
  // The client does not distinguish errors of certificates.
  if (error instanceof errors.ConnectionError && /certificate/i.test(error.message))
    return {
      reason: 'untrusted',
      text: 'has a certificate that this host does not trust. Name the file of the certificate that it is signed with in CATALOG_CA, and the nodes in CATALOG_URL as it does.',
    };
  if (error instanceof errors.ConnectionError && error.message === TOO_LONG)
    return { reason: 'failed', text: 'sent an answer of more than 8 MB, which is not read.' };
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError)
    return {
      reason: 'unreachable',
      text: 'cannot be reached. See whether its nodes are running, and whether CATALOG_URL and CATALOG_CA are right.',
    };
  return { reason: 'failed', text: 'could not be asked. The log says why.' };
}

/** @param type of the error in the answer */
function explainOpenSearchStatus(status: number, type: string): Explanation {
  if (status === 401 || status === 403)
    return {
      reason: 'refused',
      text: 'refused the user or key of CATALOG_URL or CATALOG_API_KEY. Correct it, or give it the rights that the guide names.',
    };
  if (status === 413)
    return { reason: 'too-large', text: 'refused a request as too large. Raise its http.max_content_length.' };
  if (status === 429) return { reason: 'busy', text: 'has more to do than it can. It is asked again in a moment.' };
  // With 404, a node has restarted and lost a point in time.
  if (status === 503 || type === 'search_phase_execution_exception')
    return {
      reason: 'unready',
      text: 'has parts that cannot be searched now, or was started again in the middle. If it lasts, its state is red: see which shards are not assigned, and why.',
    };
  if (status === 404)
    return {
      reason: 'index-missing',
      text: 'has no such index. It is made again at once, or by skilldock catalog check.',
    };
  return { reason: 'failed', text: `answered ${status} ${type}. The log says more.` };
}
