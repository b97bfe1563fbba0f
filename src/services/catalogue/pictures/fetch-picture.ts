import { AppError, isPassingError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundFailure } from '#ports/outbound';

const REQUEST = {
  timeoutMs: 10_000,
  maxBytes: 2 * 1024 ** 2,
  redirects: 4,
  headers: { accept: 'image/webp,image/png,image/jpeg,image/gif,application/json;q=0.5' },
} as const;

/** What is at the address of a picture, or of a description that names one. Null where that is no picture; `busy` where the site may
 *  give it later.
 *  Errors: what the signal was aborted with. */
export async function fetchPicture(
  outbound: Outbound,
  address: string,
  signal: AbortSignal,
): Promise<Uint8Array | null | 'busy'> {
  const ask = (from: string) => outbound.request(from, { ...REQUEST, signal });
  try {
    const answer = await ask(address);
    const described = findDescribedPicture(answer);
    const last = described === null ? answer : await ask(described);
    if (isBusy(last)) return 'busy';
    return isPicture(last) ? last.bytes : null;
  } catch (error) {
    if (error instanceof AppError) return canComeLater(error) ? 'busy' : null;
    throw error;
  }
}

/** oEmbed, https://oembed.com: JSON with a `thumbnail_url`. */
function findDescribedPicture({ status, headers, text }: OutboundAnswer): string | null {
  if (status !== 200 || !/^application\/json\b/i.test(headers['content-type'] ?? '')) return null;
  try {
    const { thumbnail_url: address } = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
    return typeof address === 'string' ? address : null;
  } catch {
    return null;
  }
}

function isBusy({ status }: OutboundAnswer): boolean {
  return status === 429 || status >= 500;
}

/** Other failures are of the address, not of the moment. */
const passingFailures: readonly unknown[] = ['timeout', 'connection'] satisfies OutboundFailure[];

function canComeLater(error: AppError): boolean {
  return isPassingError(error) && passingFailures.includes(error.data.failure);
}

/** What it says it is is only the first look: the encoder reads what it is. */
function isPicture({ status, headers }: OutboundAnswer): boolean {
  const type = headers['content-type'] ?? '';
  return status === 200 && /^(?:image\/(?!svg)|application\/octet-stream|binary\/octet-stream)/i.test(type);
}
