import { AppError } from '#errors';
import type { Outbound, OutboundAnswer } from '#ports/outbound';
import type { HttpCall } from '../ltijs/http.ts';

/** What a call is for: a token, or a service with one. */
export type CallPart = 'token' | 'score' | 'line-item' | 'members' | 'notices';

const MAX_DETAIL = 300;
/** A page of a large course with long names. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_WAIT_SECONDS = 86_400;

/** Makes the calls of ltijs through `outbound`. Every answer but a success becomes an error of the
 *  port `LtiPlatforms`, with `part`, the platform's `detail` and the HTTP `status` (null where no
 *  answer came) in its data. */
export function createPlatformCall(outbound: Outbound, part: CallPart): HttpCall {
  return async (url, request) => {
    const answer = await outbound
      .request(url, { ...request, maxBytes: MAX_BYTES })
      .catch((error: unknown) => {
        throw toPlatformError(error, part);
      });
    const link = findNextLink(answer.headers.link, url);
    if (answer.status >= 200 && answer.status < 300)
      return { ...answer, headers: { ...answer.headers, ...(link !== undefined && { link }) } };
    throw toRefusal(answer, url, part);
  };
}

/** Errors of the port stay as they are; everything else becomes PLATFORM_UNREACHABLE, as it may
 *  work later. */
export function toPlatformError(error: unknown, part: CallPart): AppError {
  if (error instanceof AppError && error.code === 'OUTBOUND_REFUSED')
    return new AppError('PLATFORM_REFUSED', error.message, {
      cause: error,
      data: { part, status: null, detail: error.message },
    });
  if (error instanceof AppError && error.code !== 'OUTBOUND_FAILED') return error;
  const isOurs = error instanceof AppError;
  const detail = isOurs ? error.message : 'The platform answered something else than it should.';
  return new AppError('PLATFORM_UNREACHABLE', detail, {
    cause: error,
    data: { part, status: isOurs ? null : 200, detail: showPlatformText(isOurs ? detail : String(error)) },
  });
}

function toRefusal(answer: OutboundAnswer, url: string, part: CallPart): AppError {
  const { status } = answer;
  const detail = readDetail(answer);
  const { host } = new URL(url);
  const retryAfterSeconds = readWait(answer);
  const options = {
    data: { part, status, detail },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  if (status === 429)
    return new AppError(
      'PLATFORM_THROTTLED',
      `${host} allows no more requests at the moment. Try again later.`,
      options,
    );
  if (status >= 500 || status === 408 || status === 425)
    return new AppError(
      'PLATFORM_UNREACHABLE',
      `${host} answered with status ${status}. Try again later.`,
      options,
    );
  if (part === 'score' && status === 409)
    return new AppError(
      'PLATFORM_SCORE_OUTDATED',
      `${host} has a score of this learner that is not older.`,
      options,
    );
  return new AppError('PLATFORM_REFUSED', `${host} refused with status ${status}: ${detail}`, options);
}

/** What an OAuth error says (RFC 6749 §5.2), else the beginning of the text. */
function readDetail({ text }: OutboundAnswer): string {
  try {
    const { error, error_description, message } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const said = [error, error_description ?? message].filter((part) => typeof part === 'string');
    if (said.length > 0) return showPlatformText(said.join(': '));
  } catch {
    // Then it is not JSON, or null.
  }
  return showPlatformText(text);
}

/** Of what a platform says: the rest is not looked at. */
const MAX_READ = 10_000;

/** What a platform answered, as it can be shown: the beginning in one line, without markup and
 *  without characters that could upset a terminal or a page. */
export function showPlatformText(text: string): string {
  return text
    .slice(0, MAX_READ)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL);
}

function readWait({ headers }: OutboundAnswer): number | undefined {
  const said = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(said) ? Math.min(Number(said), MAX_WAIT_SECONDS) : undefined;
}

/** The link to the next page, in the form that ltijs reads: some platforms write relative
 *  addresses, leave the quotes out, or begin the query a second time. */
function findNextLink(header: string | undefined, url: string): string | undefined {
  const links = (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g);
  for (const [, address = '', parameters = ''] of links)
    if (/;\s*rel\s*=\s*"?[^";]*\bnext\b/i.test(parameters) && URL.canParse(address, url))
      return `<${mendQuery(new URL(address, url))}>; rel="next"`;
  return header === undefined ? undefined : '';
}

/** The next page, but never on another origin, as the token goes along, and never a page that was
 *  read before. */
export function chooseNextPage(
  next: string | undefined,
  first: string,
  seen: ReadonlySet<string>,
): string | null {
  if (next === undefined || seen.has(next) || !URL.canParse(next)) return null;
  return new URL(next).origin === new URL(first).origin ? next : null;
}

function mendQuery(url: URL): string {
  url.search = url.search.slice(1).replace(/\?(?=\w+=)/g, '&');
  return url.href;
}
