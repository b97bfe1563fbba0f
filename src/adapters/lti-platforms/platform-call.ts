import { parseJson } from '#domain/text';
import { isSameSite } from '#domain/web-address';
import { AppError, type ErrorCode } from '#errors';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound';
import type { LtiRegistrationRecord } from '#ports/store/store';

export type CallPart = 'token' | 'score' | 'line-item' | 'result' | 'members' | 'groups' | 'notices';

/** Calls a platform. Errors: those of `LtiPlatforms`, for every answer but a success. */
export type PlatformCall = (url: string, request: OutboundRequest) => Promise<OutboundAnswer>;

export interface PlatformAccess {
  readonly registration: LtiRegistrationRecord;
  readonly call: PlatformCall;
  /** An access token with the scope of the service. */
  readonly token: string;
}

/** More than a page of members of a large course with long names has. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_DETAIL_LENGTH = 300;
const MAX_TEXT_LENGTH = 10_000;
const MAX_RETRY_SECONDS = 86_400;

/** Options of a GET: only redirects on the same site, because a token goes with some requests. */
export const withinSite = { redirects: 3, staysOnSite: true };

/** Creates calls whose errors have `part`, `detail` and `status` (null for no answer) as data. */
export function createPlatformCall(outbound: Outbound, part: CallPart): PlatformCall {
  return async (url, request) => {
    const answer = await outbound
      .request(url, { ...withinSite, ...request, maxBytes: MAX_BYTES })
      .catch((error: unknown) => {
        throw toPlatformError(error, part);
      });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw toPlatformRefusal(answer, part);
  };
}

/** Makes errors of outgoing calls those of a platform. Other AppErrors are returned as they are;
 *  any other one is about the content of a successful answer (200), and becomes
 *  PLATFORM_UNREACHABLE, as a later call may succeed. */
export function toPlatformError(error: unknown, part: CallPart): AppError {
  if (!(error instanceof AppError))
    return new AppError('PLATFORM_UNREACHABLE', 'The platform did not answer as it should.', {
      cause: error,
      data: { part, status: 200, detail: toDisplayLine(String(error)) },
    });
  const { code, message } = error;
  if (code !== 'OUTBOUND_REFUSED' && code !== 'OUTBOUND_FAILED') return error;
  return new AppError(code === 'OUTBOUND_REFUSED' ? 'PLATFORM_REFUSED' : 'PLATFORM_UNREACHABLE', message, {
    cause: error,
    data: { part, status: null, detail: toDisplayLine(message) },
  });
}

function toPlatformRefusal(answer: OutboundAnswer, part: CallPart): AppError {
  const { status, url } = answer;
  const detail = readPlatformDetail(answer.text);
  const { host } = new URL(url);
  const retryAfterSeconds = readPlatformRetryAfter(answer);
  const options = { data: { part, status, detail }, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const create = (code: ErrorCode, message: string) => new AppError(code, message, options);
  if (status === 429)
    return create('PLATFORM_THROTTLED', `${host} allows no more requests at the moment. Try again later.`);
  if (status >= 500 || status === 408 || status === 425)
    return create('PLATFORM_UNREACHABLE', `${host} answered with status ${status}. Try again later.`);
  if (part === 'score' && (status === 409 || (status === 400 && OUTDATED.test(detail))))
    return create('PLATFORM_SCORE_OUTDATED', `${host} has a score of this learner that is not older.`);
  return create('PLATFORM_REFUSED', `${host} refused with status ${status}: ${detail}`);
}

/** Open edX and Canvas answer 400 if others answer 409:
 *
 *  https://github.com/openedx/xblock-lti-consumer/blob/master/lti_consumer/lti_1p3/extensions/rest_framework/serializers.py
 *
 *  https://github.com/instructure/canvas-lms/blob/master/app/controllers/lti/ims/scores_controller.rb */
const OUTDATED = /already exists for the provided timestamp|later point in time|before last updated timestamp/i;

/** The description of an OAuth error (RFC 6749 §5.2), else the beginning of the text. */
function readPlatformDetail(text: string): string {
  const { error, error_description, message } = (parseJson(text) ?? {}) as Readonly<Record<string, unknown>>;
  const description = [error, error_description ?? message].filter((part) => typeof part === 'string');
  return toDisplayLine(description.length > 0 ? description.join(': ') : text);
}

/** Makes one line of at most 300 characters, without markup and control characters. */
export function toDisplayLine(text: string): string {
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL_LENGTH);
}

function readPlatformRetryAfter({ headers }: OutboundAnswer): number | undefined {
  const seconds = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), MAX_RETRY_SECONDS) : undefined;
}

/** Fetches pages sequentially. Follows only links to the site of the first page, as the access
 *  token is sent with each request, and fetches no page twice.
 *  @param fetchPage returns a page with the address of the next one, or null for the last */
export async function* listPlatformPages<T extends { readonly nextUrl: string | null }>(
  firstUrl: string,
  fetchPage: (url: string) => Promise<T>,
  { maxPages }: { readonly maxPages: number },
): AsyncGenerator<T, void> {
  const fetched = new Set<string>();
  let url: string | null = firstUrl;
  while (url !== null && !fetched.has(url) && isSameSite(url, firstUrl) && fetched.size < maxPages) {
    fetched.add(url);
    const page: T = await fetchPage(url);
    yield page;
    url = page.nextUrl;
  }
}

/** Finds the address of the next page in the `Link` header (RFC 8288); null without one. Some
 *  platforms omit quotes, or begin the query a second time. */
export function findNextPlatformUrl({ headers, url }: OutboundAnswer): string | null {
  const links = (headers.link ?? '').matchAll(/<([^<>]*)>([^<]*)/g);
  for (const [, address = '', parameters = ''] of links)
    if (/;\s*rel\s*=\s*"?[^";]*\bnext\b/i.test(parameters) && URL.canParse(address, url))
      return mendPlatformQuery(new URL(address, url));
  return null;
}

function mendPlatformQuery(url: URL): string {
  url.search = url.search.slice(1).replace(/\?(?=\w+=)/g, '&');
  return url.href;
}
