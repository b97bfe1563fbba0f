import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import { finishInTime } from '#domain/async/deadline';
import { limitEntries } from '#domain/limit-entries';
import { type PictureForm, type PictureLink, type PictureLinks, pictureForms } from '#domain/picture';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Outbound } from '#ports/outbound';
import type { PictureEncoder, PictureFiles } from '#ports/pictures';
import { createOriginTurns, fetchPicture } from './fetch-picture.ts';

/** Pictures of learning objects, and logos of providers, as this host hands them on: no reader's address reaches those who made
 *  them. Each is fetched when somebody first looks at it, and kept. */
export interface Pictures extends PictureLinks {
  /** Waits a little for one that is being fetched. */
  find(token: string, form: PictureForm): Promise<FoundPicture>;
  close(): Promise<void>;
}

/** `unknown` was not written by this host; `none` cannot be had now; `coming` is on its way, or its turn comes later. */
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

export function createPictures(deps: PicturesDeps): Pictures {
  const { tokens, outbound, files, encoder, publicUrl, clock, onProblem, waitMs = WAIT_MS } = deps;
  /** Until when each is not tried again, in milliseconds. */
  const failed = new LRUCache<string, number>(limitEntries(MAX_KNOWN));
  /** Those that were found in the files. */
  const kept = new LRUCache<string, true>(limitEntries(MAX_KNOWN));
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();
  // All that wait listen to it.
  setMaxListeners(0, closing.signal);
  const inTurn = createOriginTurns(clock);

  const hasFailed = (name: string) => (failed.get(name) ?? 0) > clock.now().getTime();
  const fileOf = (name: string, form: PictureForm) => `${name}-${form}`;

  const giveUpFor = (name: string, ms: number) => void failed.set(name, clock.now().getTime() + ms);

  /** Returns whether its site answered. */
  async function fetchAndKeep(name: string, address: string): Promise<boolean> {
    const bytes = await fetchPicture(outbound, address, closing.signal);
    const isBusy = bytes === 'busy';
    const encoded = bytes === null || isBusy ? null : await encoder.encode(bytes);
    if (encoded === null) giveUpFor(name, isBusy ? BUSY_MS : DAY_MS);
    else for (const form of pictureForms) await files.keep(fileOf(name, form), encoded[form]);
    return !isBusy;
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
    if (!canBeFetched(address) || hasFailed(nameOf(address))) return null;
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
    const work = inTurn(address, () => fetchAndKeep(name, address), closing.signal)
      .catch((error: unknown) => {
        // It is not its turn; it is tried again when it is wanted again.
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

function canBeFetched(address: string): boolean {
  if (Buffer.byteLength(address) > MAX_ADDRESS || SVG.test(address)) return false;
  return /^https?:\/\/./.test(address) && URL.canParse(address);
}

/** By which it is kept: nothing of the address can be a path. */
function nameOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 32);
}

/** Names of pictures in addresses of this host: they say where each comes from, and prove that this host wrote them. */
interface PictureTokens {
  write(address: string): string;
  /** Null for what was not written here. */
  read(token: string): string | null;
}

const SIGNATURE_BYTES = 16;
const SHAPE = /^([\w-]{1,2000})\.([\w-]{22})$/;

/** `address.signature`, with an HMAC-SHA-256 under the host's secret: nothing is stored, all hosts that share the secret understand
 *  them, and nobody can have this host fetch anything else.
 *  @param secrets the current one, and those before it, which still prove what was written under them */
export function createPictureTokens([
  secret = Buffer.alloc(0),
  ...previous
]: readonly Buffer[]): PictureTokens {
  const derive = (from: Buffer) => createHmac('sha256', from).update('skilldock picture').digest();
  const key = derive(secret);
  const keys = [key, ...previous.map(derive)];
  const sign = (address: string, by: Buffer) =>
    createHmac('sha256', by).update(address).digest().subarray(0, SIGNATURE_BYTES);
  return {
    write: (address) =>
      `${Buffer.from(address).toString('base64url')}.${sign(address, key).toString('base64url')}`,
    read(token) {
      const [, named = '', signature = ''] = SHAPE.exec(token) ?? [];
      const address = Buffer.from(named, 'base64url').toString();
      const given = Buffer.from(signature, 'base64url');
      const isOurs =
        given.length === SIGNATURE_BYTES && keys.some((by) => timingSafeEqual(sign(address, by), given));
      return isOurs ? address : null;
    },
  };
}
