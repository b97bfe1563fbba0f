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
import { createOriginTurns, fetchPicture, type RunAtOrigin } from './fetch-picture.ts';

/** Pictures of objects and logos of providers, which this host fetches at the first request and
 *  serves itself: no reader's IP address reaches other sites. */
export interface Pictures extends PictureLinks {
  /** Waits a little for a picture that is being fetched. */
  find(token: string, form: PictureForm): Promise<PictureSource>;
  /** Another one after a picture was stored or has failed, as its link is another one then. */
  linksVersion(): number;
  close(): Promise<void>;
}

/** `unknown` is a token of another host; `none` cannot be fetched now; `coming` is under way. */
export type PictureSource =
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
  /** Receives why a picture cannot be stored; not why one cannot be fetched. */
  onProblem(error: unknown): void;
  /** How long a request waits; 1,500 when absent, as browsers have six connections to a host. */
  readonly waitMs?: number;
}

const WAIT_MS = 1_500;
/** How long a failed picture is not tried again: of a busy site, and of any other. */
const BUSY_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MAX_REMEMBERED = 20_000;
/** Bytes of an address that fits into a token. */
const MAX_ADDRESS = 1_000;
/** The encoder does not read SVG. */
const SVG = /\.svgz?(?:[?#]|$)/i;

export function createPictures(deps: PicturesDeps): Pictures {
  const state: PicturesState = {
    deps,
    failedUntil: new LRUCache(limitEntries(MAX_REMEMBERED)),
    stored: new LRUCache(limitEntries(MAX_REMEMBERED)),
    linksVersion: 0,
    running: new Map(),
    closing: new AbortController(),
    runAtOrigin: createOriginTurns(deps.clock),
  };
  const { running, closing } = state;
  // All fetches that wait listen to it.
  setMaxListeners(0, closing.signal);
  return {
    linkTo: (address) => linkToPicture(state, address),
    linkToStored: (address) => linkToStoredPicture(state, address),
    find: (token, form) => findOrFetchPicture(state, token, form),
    linksVersion: () => state.linksVersion,
    async close() {
      closing.abort(new Error('the host is closing'));
      await Promise.all(running.values());
    },
  };
}

/** Where pictures are off, only those of this host are shown. */
export function createNoPictures(publicUrl: string): Pictures {
  return {
    linkTo: (address) => linkToLocalLogo(address, publicUrl),
    linkToStored: (address) => linkToLocalLogo(address, publicUrl),
    find: async () => ({ kind: 'unknown' }),
    linksVersion: () => 0,
    close: async () => undefined,
  };
}

interface PicturesState {
  readonly deps: PicturesDeps;
  /** Until when each is not tried again, in milliseconds. */
  readonly failedUntil: LRUCache<string, number>;
  readonly stored: LRUCache<string, true>;
  linksVersion: number;
  readonly running: Map<string, Promise<void>>;
  readonly closing: AbortController;
  readonly runAtOrigin: RunAtOrigin;
}

function linkToPicture(state: PicturesState, address: string): PictureLink | null {
  const { publicUrl, tokens } = state.deps;
  const logo = linkToLocalLogo(address, publicUrl);
  if (logo !== null) return logo;
  if (!canPictureBeFetched(address) || hasPictureFailed(state, namePictureFile(address))) return null;
  const path = `/pictures/${tokens.write(address)}`;
  return { small: `${path}/320.webp`, large: `${path}/640.webp`, plain: `${path}/320.jpg` };
}

/** The link of a stored picture. Any other one is fetched for later, and has no link yet. */
function linkToStoredPicture(state: PicturesState, address: string): PictureLink | null {
  const link = linkToPicture(state, address);
  const name = namePictureFile(address);
  const isLocalLogo = linkToLocalLogo(address, state.deps.publicUrl) !== null;
  if (link === null || isLocalLogo || state.stored.has(name)) return link;
  if (!state.closing.signal.aborted) void fetchPicturesAhead(state, name, address);
  return null;
}

async function fetchPicturesAhead(state: PicturesState, name: string, address: string): Promise<void> {
  if ((await findPictureFile(state, name, '320.webp')) !== null) return;
  await startPictureFetch(state, name, address);
  if (!hasPictureFailed(state, name)) await findPictureFile(state, name, '320.webp');
}

async function findOrFetchPicture(state: PicturesState, token: string, form: PictureForm): Promise<PictureSource> {
  const { tokens, waitMs = WAIT_MS } = state.deps;
  const address = tokens.read(token);
  if (address === null) return { kind: 'unknown' };
  const name = namePictureFile(address);
  const existing = await findPictureFile(state, name, form);
  if (existing !== null) return { kind: 'picture', bytes: existing };
  if (hasPictureFailed(state, name) || state.closing.signal.aborted) return { kind: 'none' };
  await finishInTime(startPictureFetch(state, name, address), waitMs);
  if (state.running.has(name)) return { kind: 'coming' };
  const bytes = await findPictureFile(state, name, form);
  if (bytes !== null) return { kind: 'picture', bytes };
  return { kind: hasPictureFailed(state, name) ? 'none' : 'coming' };
}

/** One fetch for all who wait for it; never rejects. */
function startPictureFetch(state: PicturesState, name: string, address: string): Promise<void> {
  const { running, closing, deps, runAtOrigin } = state;
  const existing = running.get(name);
  if (existing !== undefined) return existing;
  const fetching = runAtOrigin(address, () => fetchAndStorePicture(state, name, address), closing.signal)
    .catch((error: unknown) => {
      // Too many wait; the next request tries again.
      if (error instanceof AppError || closing.signal.aborted) return;
      setPictureFailed(state, name, DAY_MS);
      deps.onProblem(error);
    })
    .finally(() => running.delete(name));
  running.set(name, fetching);
  return fetching;
}

/** @returns whether the site answered */
async function fetchAndStorePicture(state: PicturesState, name: string, address: string): Promise<boolean> {
  const { outbound, encoder, files } = state.deps;
  const bytes = await fetchPicture(outbound, address, state.closing.signal);
  const isBusy = bytes === 'busy';
  const encoded = bytes === null || isBusy ? null : await encoder.encode(bytes);
  if (encoded === null) setPictureFailed(state, name, isBusy ? BUSY_MS : DAY_MS);
  else for (const form of pictureForms) await files.keep(`${name}-${form}`, encoded[form]);
  return !isBusy;
}

async function findPictureFile(state: PicturesState, name: string, form: PictureForm): Promise<Uint8Array | null> {
  const { deps, stored } = state;
  const bytes = await deps.files.find(`${name}-${form}`).catch((error: unknown) => {
    deps.onProblem(error);
    return null;
  });
  if ((bytes !== null) !== stored.has(name)) state.linksVersion++;
  if (bytes === null) stored.delete(name);
  else stored.set(name, true);
  return bytes;
}

function hasPictureFailed({ failedUntil, deps }: PicturesState, name: string): boolean {
  return (failedUntil.get(name) ?? 0) > deps.clock.now().getTime();
}

function setPictureFailed(state: PicturesState, name: string, ms: number): void {
  const { failedUntil, deps } = state;
  state.linksVersion++;
  failedUntil.set(name, deps.clock.now().getTime() + ms);
}

/** Logos that this host draws need no fetch, whatever name the host was reached by. */
function linkToLocalLogo(address: string, publicUrl: string): PictureLink | null {
  if (!address.startsWith(`${publicUrl}/logos/`)) return null;
  const path = address.slice(publicUrl.length);
  return { small: path, large: path, plain: path };
}

function canPictureBeFetched(address: string): boolean {
  if (Buffer.byteLength(address) > MAX_ADDRESS || SVG.test(address)) return false;
  return /^https?:\/\/./.test(address) && URL.canParse(address);
}

/** A file name from which no address can lead anywhere else. */
const namePictureFile = (address: string): string => createHash('sha256').update(address).digest('hex').slice(0, 32);

/** Signed addresses of pictures, as they stand in links of this host. */
type PictureTokens = ReturnType<typeof createPictureTokens>;

const SIGNATURE_BYTES = 16;
const SHAPE = /^([\w-]{1,2000})\.([\w-]{22})$/;

/** The current one, and earlier ones whose tokens are still valid. */
export type PictureSecrets = readonly [Buffer, ...Buffer[]];

/** `address.signature`, with an HMAC-SHA-256 under the host's secret: nothing is stored, all hosts
 *  with the secret read the tokens, and nobody can make a host fetch any other address. */
export function createPictureTokens([secret, ...previous]: PictureSecrets) {
  const derive = (from: Buffer) => createHmac('sha256', from).update('skilldock picture').digest();
  const key = derive(secret);
  const keys = [key, ...previous.map(derive)];
  const sign = (address: string, by: Buffer) =>
    createHmac('sha256', by).update(address).digest().subarray(0, SIGNATURE_BYTES);
  return {
    write: (address: string): string =>
      `${Buffer.from(address).toString('base64url')}.${sign(address, key).toString('base64url')}`,
    /** Null for a token that is not of this host. */
    read(token: string): string | null {
      const [, named = '', signature = ''] = SHAPE.exec(token) ?? [];
      const address = Buffer.from(named, 'base64url').toString();
      const presented = Buffer.from(signature, 'base64url');
      const isOurs =
        presented.length === SIGNATURE_BYTES && keys.some((by) => timingSafeEqual(sign(address, by), presented));
      return isOurs ? address : null;
    },
  };
}
