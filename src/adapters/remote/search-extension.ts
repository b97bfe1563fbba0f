import { parseSearchResponse, writeSearchRequest } from '../../contract/index.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import { AppError } from '../../errors.ts';
import type { SearchAnswer } from '../../ports/learning-service.ts';
import type { Ask } from './ask.ts';

/** Search by Skilldock's extension; null where the service does not have it. The specification mentions a `search` without
 *  showing it, so an answer counts only where it is recognised as ours. */
export async function searchByExtension(
  query: LearningObjectQuery,
  ask: Ask,
  signal: AbortSignal,
): Promise<SearchAnswer | null> {
  try {
    const body = await ask('search', { query: writeSearchRequest(query), signal });
    return isOurs(body) ? parseSearchResponse(body) : null;
  } catch (error) {
    if (isRefusedByOthers(error)) return null;
    throw error;
  }
}

/** Our echo lists the providers; the specified one has a single text. */
function isOurs(body: unknown): boolean {
  const { request } = (body ?? {}) as { request?: { provider?: unknown } };
  return Array.isArray(request?.provider);
}

/** Whether somebody refused an address he does not know, in whichever way; a Skilldock that refuses says its code. */
function isRefusedByOthers(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const { status, upstreamCode } = error.data;
  if (upstreamCode !== undefined) return upstreamCode === 'PATH_UNKNOWN';
  return typeof status === 'number' && status < 500 && status !== 429;
}
