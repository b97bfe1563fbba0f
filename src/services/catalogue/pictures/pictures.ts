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
  /** Returns a picture. Waits a little if it is being fetched. */
  find(token: string, form: PictureForm): Promise<PictureSource>;
  /** Returns a number that changes when a picture is stored or has failed, as its link changes. */
  linksVersion(): number;
  close(): Promise<void>;
}

/** `unknown` for a foreign token; `none` if it cannot be fetched now; `coming` during a fetch. */
export type PictureSource =
  | { readonly kind: 'picture'; readonly bytes: Uint8Array }
  | { readonly kind: 'unknown' | 'none' | 'coming' };

export interface PicturesDeps {
  readonly tokens: PictureTokens;
  readonly outbound: Outbound;
  readonly files: PictureFiles;
  readonly encoder: PictureEncoder;
  /** Public address of the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Receives errors of storing pictures, but not of fetching them. */
  onProblem(error: unknown): void;
  /** How long a request waits; 1,500 when absent, as browsers have six connections to a host. */
  readonly waitMs?: number;
}

const WAIT_MS = 1_500;
/** How long a failed picture is not tried again, of a busy site and of any other. */
const BUSY_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MAX_REMEMBERED = 20_000;
/** Longest address in a token, in bytes. */
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
  // All waiting fetches listen to the signal.
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

/** Shows only the pictures of this host, as pictures are off. */
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
  /** Until when a picture is not tried again, in milliseconds since 1970, by name. */
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

/** Returns the link of a stored picture; null for any other one, which is fetched for later. */
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

/** Starts a fetch, or joins a running one of the same picture. Never rejects. */
function startPictureFetch(state: PicturesState, name: string, address: string): Promise<void> {
  const { running, closing, deps, runAtOrigin } = state;
  const existing = running.get(name);
  if (existing !== undefined) return existing;
  const fetching = runAtOrigin(address, () => fetchAndStorePicture(state, name, address), closing.signal)
    .catch((error: unknown) => {
      // If too many fetches wait, the next request tries again.
      if (error instanceof AppError || closing.signal.aborted) return;
      setPictureFailed(state, name, DAY_MS);
      deps.onProblem(error);
    })
    .finally(() => running.delete(name));
  running.set(name, fetching);
  return fetching;
}

/** Fetches a picture and stores all of its forms. @returns whether the site answered */
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

/** Returns the link of a logo that this host draws; null for any other address. The link is a path,
 *  as the host may be reached by any name. */
function linkToLocalLogo(address: string, publicUrl: string): PictureLink | null {
  if (!address.startsWith(`${publicUrl}/logos/`)) return null;
  const path = address.slice(publicUrl.length);
  return { small: path, large: path, plain: path };
}

function canPictureBeFetched(address: string): boolean {
  if (Buffer.byteLength(address) > MAX_ADDRESS || SVG.test(address)) return false;
  return /^https?:\/\/./.test(address) && URL.canParse(address);
}

/** Makes a file name that leads out of no folder, whatever the address is. */
const namePictureFile = (address: string): string => createHash('sha256').update(address).digest('hex').slice(0, 32);

/** Writes and reads the signed addresses of pictures in links of this host. */
type PictureTokens = ReturnType<typeof createPictureTokens>;

const SIGNATURE_BYTES = 16;
const SHAPE = /^([\w-]{1,2000})\.([\w-]{22})$/;

/** The current secret, and former ones whose tokens are still valid. */
export type PictureSecrets = readonly [Buffer, ...Buffer[]];

/** A token is `address.signature`, with an HMAC-SHA-256 under the host's secret: nothing is stored,
 *  all hosts with the secret read the tokens, and no host fetches any other address. */
export function createPictureTokens([secret, ...previous]: PictureSecrets) {
  const derive = (from: Buffer) => createHmac('sha256', from).update('skilldock picture').digest();
  const key = derive(secret);
  const keys = [key, ...previous.map(derive)];
  const sign = (address: string, by: Buffer) =>
    createHmac('sha256', by).update(address).digest().subarray(0, SIGNATURE_BYTES);
  return {
    write: (address: string): string =>
      `${Buffer.from(address).toString('base64url')}.${sign(address, key).toString('base64url')}`,
    /** Returns null for a token that is not of this host. */
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
