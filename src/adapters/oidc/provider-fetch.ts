import type { CustomFetch } from 'openid-client';
import { AppError } from '#errors';

const MAX_ANSWER_BYTES = 1_000_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where tokens may travel unencrypted: within one machine. */
export const isSafeProviderUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));

/** A `fetch` that tells a provider that is down from one that refuses, which the library does not
 *  do. Reads the whole answer, so that one that stops in the middle counts as down too.
 *  Errors: OIDC_UNAVAILABLE. */
export const fetchFromProvider: CustomFetch = async (url, request) => {
  if (!isSafeProviderUrl(new URL(url))) throw createProviderFetchError(`${url} is not encrypted`);
  try {
    // The library sends a form or nothing; its type allows more than `fetch` does.
    const response = await fetch(url, request as RequestInit);
    const answer = await readBody(response);
    if (response.status >= 500 || response.status === 429) throw new Error(`${url}: HTTP ${response.status}`);
    return new Response(answer, response);
  } catch (error) {
    throw createProviderFetchError(error);
  }
};

async function readBody({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param cause for the log; never shown */
export function createProviderFetchError(cause: unknown): AppError {
  return new AppError(
    'OIDC_UNAVAILABLE',
    'The sign-in service does not answer as it should. Try again in a minute, or sign in with a password.',
    { cause },
  );
}
