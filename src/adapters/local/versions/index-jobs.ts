import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { verifySnapshot } from '#engine/snapshot';
import { AppError } from '#errors';
import { type BuildJob, buildVersion, explainVersionBuildError } from './build-version.ts';
import type { VersionBlocks } from './version-files.ts';
import * as files from './version-files.ts';
import { isFileMissing } from './version-folders.ts';

/** Work that takes longer than a request may wait. */
export type IndexJob =
  | ({ readonly kind: 'build' } & BuildJob)
  | { readonly kind: 'load'; readonly folder: string; readonly base: string };

/** The verified blocks of a version; null if a version to load is missing, damaged, or of another
 *  base. Errors: those of `buildVersion` and of reading.
 *  @param pause called often while a version is built */
export function runIndexJob(job: IndexJob, pause?: () => void): VersionBlocks | null {
  return job.kind === 'build' ? buildVersion(job, pause) : loadBlocks(job.folder, job.base);
}

function loadBlocks(folder: string, base: string): VersionBlocks | null {
  try {
    const readBlock = (name: keyof VersionBlocks) => {
      const block = files.readBlockFile(join(folder, files.versionFiles[name]));
      verifySnapshot(block);
      return block;
    };
    const blocks = { catalog: readBlock('catalog'), objects: readBlock('objects'), terms: readBlock('terms') };
    const { summary } = files.decodeVersionCatalog(blocks.catalog, { isVerified: true });
    const isOfBase = summary.fingerprint === files.writeVersionFingerprint({ base, imported: summary.imported });
    // Only the length of the records file is checked now: each record is checked when it is read.
    const { size } = statSync(join(folder, files.versionFiles.records));
    return isOfBase && size === summary.recordBytes ? blocks : null;
  } catch (error) {
    if (isFileMissing(error)) return null;
    if (error instanceof AppError && error.code === 'SNAPSHOT_INVALID') return null;
    throw error;
  }
}

export type RunIndexJob = (job: IndexJob, signal: AbortSignal) => Promise<VersionBlocks | null>;

export interface IndexWorkerData {
  readonly job: IndexJob;
  /** `memory` of `createSearchActivity`. */
  readonly searches: SharedArrayBuffer;
}

/** Runs a job in a separate thread. Errors: as `runIndexJob`; the reason of the signal. */
export const runIndexJobInWorker: RunIndexJob = (job, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL('./index-worker.js', import.meta.url), {
      workerData: { job, searches: processSearches.memory } satisfies IndexWorkerData,
      // By default a thread gets less memory than the process.
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
    });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve).once('error', (error) => reject(explainVersionBuildError(error)));
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(signal.aborted ? signal.reason : new Error(`the thread that indexes ended with ${code}`));
    });
  });

/** Buffers that `postMessage` can transfer. */
export function listIndexJobBuffers(blocks: VersionBlocks | null): ArrayBuffer[] {
  return blocks === null ? [] : files.blockNames.map((name) => blocks[name].buffer as ArrayBuffer);
}

/** Counts the searches in progress, in memory that the thread of a build can read. */
export function createSearchActivity() {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(memory);
  return {
    memory,
    begin() {
      Atomics.add(counter, 0, 1);
    },
    end() {
      if (Atomics.sub(counter, 0, 1) === 1) Atomics.notify(counter, 0);
    },
  };
}

export const processSearches = createSearchActivity();

/** A search that waits for something other than the processor does not stop the build. */
const MAX_WAIT_MS = 20;

/** Called by a long computation about every millisecond; waits while a search is being answered.
 *  All waits together last at most as long as the work, so that a build takes at most twice as
 *  long. (A thread of low priority would starve on a busy machine.) */
export function createSearchPause(memory: SharedArrayBuffer, now: () => number = () => performance.now()): () => void {
  const counter = new Int32Array(memory);
  const startMs = now();
  let waitedMs = 0;
  return function pauseForSearches() {
    const running = Atomics.load(counter, 0);
    if (running === 0) return;
    const beforeMs = now();
    const workedMs = beforeMs - startMs - waitedMs;
    const allowedMs = Math.min(MAX_WAIT_MS, workedMs - waitedMs);
    if (allowedMs <= 0) return;
    Atomics.wait(counter, 0, running, allowedMs);
    waitedMs += now() - beforeMs;
  };
}
