import type { UpstreamConnection } from '../../ports/upstream.ts';

const MIN_LENGTH = 4;

/** A text in which this key is crossed out, plain or percent-encoded: services like to repeat the key they refuse. A few
 *  characters are no key, and crossing them out would only make the text unreadable. */
export function hideKey(text: string, value: string | undefined): string {
  // Whoever repeats a key leaves out the scheme before it.
  const key = value?.replace(/^Bearer /, '');
  if (key === undefined || key.length < MIN_LENGTH) return text;
  const forms = [...new Set([key, encodeURIComponent(key)])].map(escapePattern);
  return text.replaceAll(new RegExp(forms.join('|'), 'gi'), '•••');
}

/** The same for all keys of a connection. */
export function hideKeys(text: string, { apiKey, marketplace }: UpstreamConnection): string {
  return hideKey(hideKey(text, apiKey), marketplace?.key);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
