import { escapePattern, parseJson } from '#domain/text';
import type { UpstreamConnection } from '#ports/upstream';

const MAX_LENGTH = 300;

/** How many characters are searched: the reason is near the beginning. */
const MAX_READ = 20_000;
/** Maximum number of characters of JSON: a longer one is not an explanation. */
const MAX_PARSED = 100_000;

const MAX_DEPTH = 4;
const REASONS = ['message', 'detail', 'error_description', 'error', 'errorMessage', 'title', 'msg', 'body'];

/** Reads the reason of an error, without the key, in at most 300 characters. Null if there is none.
 *  @param text a body: JSON with a message, an HTML page with a title, or plain text
 *  @example explainUpstreamAnswer('{"error":"Bad key abc-123"}', 'abc-123') // 'Bad key •••' */
export function explainUpstreamAnswer(text: string, key?: string): string | null {
  const reason = (text.length <= MAX_PARSED ? findReason(parseJson(text)) : undefined) ?? text;
  return toReasonLine(isMarkup(reason) ? readTitle(reason) : reason, key);
}

/** Makes one line of a text, such as the message of an error, without the key. Null for none. */
export function toReasonLine(text: string, key?: string): string | null {
  const line = text
    .slice(0, MAX_READ)
    .replaceAll(/\s+/gu, ' ')
    // Control characters, and the invisible ones that change the direction of the text after them.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim();
  // Split, so that it is cut between whole characters.
  return [...hideKey(line, key)].slice(0, MAX_LENGTH).join('') || null;
}

/** Finds a reason, which may be wrapped, as in `{ "error": { "message": … } }`. */
function findReason(body: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof body === 'string') return findReason(parseJson(body), depth + 1) ?? (body.trim() || undefined);
  if (typeof body !== 'object' || body === null) return undefined;
  for (const name of REASONS) {
    if (!Object.hasOwn(body, name)) continue;
    const reason = findReason((body as Record<string, unknown>)[name], depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const isMarkup = (text: string): boolean => /^\s*</.test(text.slice(0, MAX_READ));

const readTitle = (markup: string): string =>
  /<title[^>]{0,200}>([^<]{0,2000})/i.exec(markup.slice(0, MAX_READ))?.[1] ?? '';

const MIN_KEY_LENGTH = 4;

/** Masks a key, plain or percent-encoded, as services often repeat it. A key of a few characters is
 *  not a real one, and masking it would only make the text unreadable.
 *  @example hideKey('key abc-123 is unknown', 'abc-123') // 'key ••• is unknown' */
export function hideKey(text: string, value: string | undefined): string {
  // Services that repeat a key omit the scheme before it.
  const key = value?.replace(/^Bearer /, '');
  if (key === undefined || key.length < MIN_KEY_LENGTH) return text;
  const forms = [...new Set([key, encodeURIComponent(key)])].map(escapePattern);
  return text.replaceAll(new RegExp(forms.join('|'), 'gi'), '•••');
}

export const hideConnectionKeys = (text: string, { apiKey, marketplace }: UpstreamConnection): string =>
  hideKey(hideKey(text, apiKey), marketplace?.key);
