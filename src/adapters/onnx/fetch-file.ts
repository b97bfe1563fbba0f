import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isDiskFull } from '../../errors.ts';
import { measureFile } from './manifest.ts';

/** A file of the web of which every byte is known. */
export interface WantedFile {
  readonly url: string;
  /** Where it is put, and where a part of it may be already. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface FetchFileOptions {
  readonly signal: AbortSignal;
  /** Without a byte for so long, a connection counts as cut; 30,000 by default. */
  readonly stallMs?: number;
  /** Before another try, and longer each time; 1,000 by default. */
  readonly pauseMs?: number;
  /** Bytes of it that are there. */
  onProgress(bytes: number): void;
}

/** Tries in a row that bring nothing. */
const MAX_TRIES = 5;
const STALL_MS = 30_000;
const PAUSE_MS = 1_000;

/** Fetches a file, going on where a cut connection or an earlier run ended, until it is whole and what it should be.
 *  Errors: SOURCE_UNAVAILABLE, also where the signal is that of a time limit; MODEL_INVALID where the source has other bytes; any
 *  other reason of the signal; those of writing. */
export async function fetchFile(file: WantedFile, options: FetchFileOptions): Promise<void> {
  const { signal, pauseMs = PAUSE_MS } = options;
  for (let tries = 1; ; tries += 1) {
    const before = await sizeOf(file.path);
    try {
      if (before < file.size) await fetchRest(file, { ...options, from: before });
      if (await isWhole(file)) return;
      await rm(file.path, { force: true });
      // What was there before may have been of another file.
      if (before === 0) throw createOtherBytesError(file);
    } catch (error) {
      if (signal.aborted) throw toStopError(file, signal.reason);
      if (isOtherBytes(error)) await rm(file.path, { force: true });
      if ((error instanceof AppError && error.kind !== 'unavailable') || isLocal(error)) throw error;
      // It has no such place: what is here is not of its file.
      if (statusOf(error) === 416) await rm(file.path, { force: true });
      if ((await sizeOf(file.path)) > before) tries = 0;
      if (tries >= MAX_TRIES || isFinal(error)) throw toSourceError(file, error);
      // Stopped meanwhile, the next try says so.
      await sleep(pauseMs * 2 ** tries, undefined, { signal }).catch(() => {});
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function isWhole({ path, size, sha256 }: WantedFile): Promise<boolean> {
  const found = await measureFile(path);
  return found !== null && found.size === size && found.sha256 === sha256;
}

interface Fetching extends FetchFileOptions {
  readonly from: number;
}

async function fetchRest(
  file: WantedFile,
  { from, signal, stallMs = STALL_MS, onProgress }: Fetching,
): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error(`nothing came for ${stallMs / 1_000} s`)), stallMs);
  try {
    const response = await fetch(file.url, {
      // Packed, its places would be others.
      headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    const at = beginOf(response, from);
    const handle = await open(file.path, at === 0 ? 'w' : 'a');
    try {
      let size = at;
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        size += chunk.length;
        if (size > file.size) throw createOtherBytesError(file);
        // All of it: one write may take less.
        await handle.appendFile(chunk);
        onProgress(size);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Where the bytes of an answer belong. */
function beginOf({ status, headers }: Response, from: number): number {
  if (status === 200) return 0;
  if (status === 206 && headers.get('content-range')?.startsWith(`bytes ${from}-`)) return from;
  throw Object.assign(new Error(`it answers ${status}`), { status });
}

/** Another try would be answered alike. Those of being busy would not. */
function isFinal(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 408 && status !== 416 && status !== 429;
}

/** 0 where it is none of an answer. */
function statusOf(error: unknown): number {
  const { status = 0 } = Object(error) as { readonly status?: number };
  return status;
}

/** Of this machine's disk. */
function isLocal(error: unknown): boolean {
  const { syscall } = Object(error) as { readonly syscall?: unknown };
  return isDiskFull(error) || ['open', 'write', 'fsync', 'unlink'].includes(String(syscall));
}

/** A time limit is one of the source; whoever stops it otherwise knows why. */
function toStopError(file: WantedFile, reason: unknown): unknown {
  return reason instanceof Error && reason.name === 'TimeoutError' ? toSourceError(file, reason) : reason;
}

function isOtherBytes(error: unknown): boolean {
  return error instanceof AppError && error.code === 'MODEL_INVALID';
}

function toSourceError({ url }: WantedFile, cause: unknown): AppError {
  const why =
    cause instanceof Error && cause.cause instanceof Error
      ? cause.cause.message
      : String(Object(cause).message);
  const { origin, pathname } = new URL(url);
  const what = isFinal(cause)
    ? `${origin} does not have ${pathname}`
    : `${origin} cannot be reached, or the connection to it breaks`;
  return new AppError(
    'SOURCE_UNAVAILABLE',
    `${what} (${why}). What came is kept, and the same command goes on from there. Without a network, set MODEL_SOURCE to a mirror, or use skilldock model add FOLDER.`,
    { cause },
  );
}

function createOtherBytesError({ url, sha256 }: WantedFile): AppError {
  return new AppError(
    'MODEL_INVALID',
    `${url} is not the file that was pinned (SHA-256 ${sha256}): nothing of it was kept. If MODEL_SOURCE names a mirror, its copy is wrong; otherwise something on the way changes files.`,
  );
}
