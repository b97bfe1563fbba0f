import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { verifySnapshot } from '#engine/snapshot';
import { AppError } from '#errors';
import { type BuildJob, buildVersion, explainVersionBuildError } from './build-version.ts';
import { processSearches } from './search-activity.ts';
import {
  blockNames,
  decodeVersionCatalog,
  readBlockFile,
  type VersionBlocks,
  versionFiles,
  writeVersionFingerprint,
} from './version-files.ts';
import { isVersionMissing } from './version-folders.ts';

/** Work on a version that takes longer than a request may wait. */
export type IndexJob =
  | ({ readonly kind: 'build' } & BuildJob)
  | { readonly kind: 'load'; readonly folder: string; readonly base: string };

/** What the thread is given. */
export interface IndexWorkerData {
  readonly job: IndexJob;
  /** Counter of `SearchActivity`. */
  readonly searches: SharedArrayBuffer;
}

/** The blocks of a version, verified. Null where a version to be loaded is not there, damaged, or made from something else.
 *  Errors: those of `buildVersion` and of reading.
 *  @param pause called often while a version is built */
export function runIndexJob(job: IndexJob, pause?: () => void): VersionBlocks | null {
  return job.kind === 'build' ? buildVersion(job, pause) : loadBlocks(job.folder, job.base);
}

function loadBlocks(folder: string, base: string): VersionBlocks | null {
  try {
    const blocks: VersionBlocks = {
      catalog: readBlock(folder, 'catalog'),
      objects: readBlock(folder, 'objects'),
      terms: readBlock(folder, 'terms'),
    };
    const { summary } = decodeVersionCatalog(blocks.catalog, { isVerified: true });
    const isOfBase = summary.fingerprint === writeVersionFingerprint({ base, imported: summary.imported });
    // Only the length of the records file is checked: each record is checked when it is read.
    const { size } = statSync(join(folder, versionFiles.records));
    return isOfBase && size === summary.recordBytes ? blocks : null;
  } catch (error) {
    if (isVersionMissing(error) || (error instanceof AppError && error.code === 'SNAPSHOT_INVALID'))
      return null;
    throw error;
  }
}

function readBlock(folder: string, name: keyof VersionBlocks): Uint8Array {
  const block = readBlockFile(join(folder, versionFiles[name]));
  verifySnapshot(block);
  return block;
}

export type RunIndexJob = (job: IndexJob, signal: AbortSignal) => Promise<VersionBlocks | null>;

/** In a thread of its own, so that requests are answered meanwhile. The blocks are handed over without being copied.
 *  Errors: as `runIndexJob`; the signal's reason. */
export const runIndexJobInWorker: RunIndexJob = (job, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL('./index-worker.js', import.meta.url), {
      workerData: { job, searches: processSearches.memory } satisfies IndexWorkerData,
      // Otherwise a thread gets less than the process, whatever that was given.
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

/** What `postMessage` may hand over instead of copying. */
export function listIndexJobBuffers(blocks: VersionBlocks | null): ArrayBuffer[] {
  return blocks === null ? [] : blockNames.map((name) => blocks[name].buffer as ArrayBuffer);
}
