import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import { type PictureForm, type PictureLink, type PictureLinks, pictureForms } from '../../domain/picture.ts';
import { AppError, isPassingError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Outbound, OutboundAnswer, OutboundFailure } from '../../ports/outbound.ts';
import type { PictureEncoder, PictureFiles } from '../../ports/pictures.ts';
import { finishInTime } from '../in-time.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import type { PictureTokens } from './picture-tokens.ts';

/** Pictures of learning objects, and logos of providers, as this host hands them on: no reader's address reaches those who made
 *  them. Each is fetched when somebody first looks at it, and kept. */
export interface Pictures extends PictureLinks {
  /** Waits a little for one that is being fetched. */
  find(token: string, form: PictureForm): Promise<FoundPicture>;
  close(): Promise<void>;
}

/** `unknown` was not written by this host; `none` cannot be had now; `coming` is on its way. */
export type FoundPicture =
  | { readonly kind: 'picture'; readonly bytes: Uint8Array }
  | { readonly kind: 'unknown' | 'none' | 'coming' };

export interface PicturesDeps {
  readonly tokens: PictureTokens;
  readonly outbound: Outbound;
  readonly files: PictureFiles;
  readonly encoder: PictureEncoder;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Told where a picture cannot be kept; not where one cannot be had. */
  onProblem(error: unknown): void;
  /** How long a request waits at most; 1.5 seconds when absent: browsers have six connections to a host, and others wait for them. */
  readonly waitMs?: number;
}

const WAIT_MS = 1_500;
/** Until one that failed is tried again: where the site may have been busy, and else. */
const BUSY_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MAX_KNOWN = 20_000;
/** Bytes; fits a token. */
const MAX_ADDRESS = 1_000;
/** Never read, so not asked for. */
const SVG = /\.svgz?(?:[?#]|$)/i;
/** Fetched at once, and waiting for it: more are left until somebody looks again. */
const LIMIT = { running: 4, waiting: 200 };
const REQUEST = {
  timeoutMs: 10_000,
  maxBytes: 2 * 1024 ** 2,
  redirects: 4,
  headers: { accept: 'image/webp,image/png,image/jpeg,image/gif,application/json;q=0.5' },
} as const;

export function createPictures(deps: PicturesDeps): Pictures {
  const { tokens, outbound, files, encoder, publicUrl, clock, onProblem, waitMs = WAIT_MS } = deps;
  /** Until when each is not tried again, in milliseconds. */
  const failed = new LRUCache<string, number>({ max: MAX_KNOWN });
  /** Those that were found in the files. */
  const kept = new LRUCache<string, true>({ max: MAX_KNOWN });
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();
  // All that wait listen to it.
  setMaxListeners(0, closing.signal);
  const tooMany = () => new AppError('OUTBOUND_FAILED', 'Too many pictures are wanted at once.');
  const inTurn = limitConcurrency({ ...LIMIT, tooMany });

  const hasFailed = (name: string) => (failed.get(name) ?? 0) > clock.now().getTime();
  const fileOf = (name: string, form: PictureForm) => `${name}-${form}`;

  const giveUpFor = (name: string, ms: number) => void failed.set(name, clock.now().getTime() + ms);

  /** Of the picture at an address, or of the one that a description there names. */
  async function fetchBytes(address: string): Promise<Uint8Array | null | 'busy'> {
    const ask = (from: string) => outbound.request(from, { ...REQUEST, signal: closing.signal });
    const answer = await ask(address);
    const described = findDescribedPicture(answer);
    const last = described === null ? answer : await ask(described);
    if (isBusy(last)) return 'busy';
    return isPicture(last) ? last.bytes : null;
  }

  async function fetchPicture(name: string, address: string): Promise<void> {
    const bytes = await fetchBytes(address).catch((error: unknown) => {
      if (error instanceof AppError) return canComeLater(error) ? 'busy' : null;
      throw error;
    });
    if (bytes === 'busy') return giveUpFor(name, BUSY_MS);
    const encoded = bytes === null ? null : await encoder.encode(bytes);
    if (encoded === null) return giveUpFor(name, DAY_MS);
    for (const form of pictureForms) await files.keep(fileOf(name, form), encoded[form]);
  }

  async function findFile(name: string, form: PictureForm): Promise<Uint8Array | null> {
    const bytes = await files.find(fileOf(name, form)).catch((error: unknown) => {
      onProblem(error);
      return null;
    });
    if (bytes === null) kept.delete(name);
    else kept.set(name, true);
    return bytes;
  }

  function linkTo(address: string): PictureLink | null {
    const own = findOwnPicture(address, publicUrl);
    if (own !== null) return own;
    if (Buffer.byteLength(address) > MAX_ADDRESS || !/^https?:\/\/./.test(address) || SVG.test(address))
      return null;
    if (hasFailed(nameOf(address))) return null;
    const path = `/pictures/${tokens.write(address)}`;
    return { small: `${path}/320.webp`, large: `${path}/640.webp`, plain: `${path}/320.jpg` };
  }

  async function fetchAhead(name: string, address: string): Promise<void> {
    if ((await findFile(name, '320.webp')) !== null) return;
    await begin(name, address);
    if (!hasFailed(name)) await findFile(name, '320.webp');
  }

  /** One fetch for all who wait for it; never rejects. */
  function begin(name: string, address: string): Promise<void> {
    const begun = running.get(name);
    if (begun !== undefined) return begun;
    const work = inTurn(() => fetchPicture(name, address), { signal: closing.signal })
      .catch((error: unknown) => {
        // Others are before it; it is tried again when it is wanted again.
        if (error instanceof AppError || closing.signal.aborted) return;
        giveUpFor(name, DAY_MS);
        onProblem(error);
      })
      .finally(() => running.delete(name));
    running.set(name, work);
    return work;
  }

  return {
    linkTo,
    linkToKept(address) {
      const link = linkTo(address);
      const name = nameOf(address);
      if (link === null || kept.has(name) || !link.small.startsWith('/pictures/')) return link;
      if (!closing.signal.aborted) void fetchAhead(name, address);
      return null;
    },
    async find(token, form) {
      const address = tokens.read(token);
      if (address === null) return { kind: 'unknown' };
      const name = nameOf(address);
      const known = await findFile(name, form);
      if (known !== null) return { kind: 'picture', bytes: known };
      if (hasFailed(name) || closing.signal.aborted) return { kind: 'none' };
      await finishInTime(begin(name, address), waitMs);
      if (running.has(name)) return { kind: 'coming' };
      const bytes = await findFile(name, form);
      return bytes === null ? { kind: hasFailed(name) ? 'none' : 'coming' } : { kind: 'picture', bytes };
    },
    async close() {
      closing.abort(new Error('the host is closing'));
      await Promise.all(running.values());
    },
  };
}

/** Where pictures are off, only what is this host's own is shown. */
export function createNoPictures(publicUrl: string): Pictures {
  return {
    linkTo: (address) => findOwnPicture(address, publicUrl),
    linkToKept: (address) => findOwnPicture(address, publicUrl),
    find: async () => ({ kind: 'unknown' }),
    close: async () => undefined,
  };
}

/** Logos that this host draws are shown as they are, under whatever name it was reached. */
function findOwnPicture(address: string, publicUrl: string): PictureLink | null {
  if (!address.startsWith(`${publicUrl}/logos/`)) return null;
  const path = address.slice(publicUrl.length);
  return { small: path, large: path, plain: path };
}

/** By which it is kept: nothing of the address can be a path. */
function nameOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 32);
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
