import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { startLimitedProcess } from '#adapters/processes/limited-process';
import { verifySnapshot } from '#engine/snapshot';
import { AppError, hasErrorCode } from '#errors';
import { type BuildJob, buildVersion } from './build-version.ts';
import type { VersionBlocks } from './version-files.ts';
import * as files from './version-files.ts';
import { isFileMissing } from './version-folders.ts';

/** Work that takes longer than a request may wait. */
export type IndexJob =
  | ({ readonly kind: 'build' } & BuildJob)
  | { readonly kind: 'load'; readonly folder: string; readonly base: string };

/** @returns the verified blocks of the version; null if a version to load is missing, damaged,
 *  or of another base. Errors: those of `buildVersion` and of reading. */
export function runIndexJob(job: IndexJob): VersionBlocks | null {
  return job.kind === 'build' ? buildVersion(job) : loadVersionBlocks(job.folder, job.base);
}

function loadVersionBlocks(folder: string, base: string): VersionBlocks | null {
  try {
    const readBlock = (name: keyof VersionBlocks) => {
      const block = files.readBlockFile(join(folder, files.versionFiles[name]));
      verifySnapshot(block);
      return block;
    };
    const blocks = { catalog: readBlock('catalog'), objects: readBlock('objects'), terms: readBlock('terms') };
    const { summary } = files.decodeVersionCatalog(blocks.catalog, { isVerified: true });
    const isOfBase = summary.fingerprint === files.fingerprintVersion({ base, imported: summary.imported });
    // Only the length of the records file is checked now: each record is checked when it is read.
    const { size } = statSync(join(folder, files.versionFiles.records));
    return isOfBase && size === summary.recordBytes ? blocks : null;
  } catch (error) {
    if (isFileMissing(error) || hasErrorCode(error, 'SNAPSHOT_INVALID')) return null;
    throw error;
  }
}

export type RunIndexJob = (job: IndexJob, signal: AbortSignal) => Promise<VersionBlocks | null>;

/** Builds in a process, whose memory is free again when it ends, and loads in a thread.
 *  Errors: as `runIndexJob`; the reason of the signal. */
export const runIndexJobApart: RunIndexJob = async (job, signal) => {
  if (job.kind === 'build') await buildIndexInProcess(job, signal);
  return loadIndexInThread({ kind: 'load', folder: job.folder, base: job.base }, signal);
};

/** The error with which a build ended, or null. */
export type BuildOutcome = Pick<AppError, 'code' | 'message'> | null;

async function buildIndexInProcess(job: IndexJob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  // The process may use as much memory as the host.
  const heapMb = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);
  const program = new URL('./build-process.js', import.meta.url);
  const child = startLimitedProcess(program, { heapMb, maxBytes: Number.MAX_SAFE_INTEGER });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const outcome = await new Promise<BuildOutcome>((done, fail) => {
      child.once('message', (message) => done(message as BuildOutcome)).once('error', fail);
      child.once('exit', (code, killed) => fail(signal.aborted ? signal.reason : explainJobEnd(killed ?? code)));
      child.send(job);
    });
    if (outcome !== null) throw new AppError(outcome.code, outcome.message);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Explains why the process ended: it has all concepts in memory, which may be too many. */
export function explainJobEnd(end: NodeJS.Signals | number | null): Error {
  // V8 aborts if its heap is full; 134 stands for SIGABRT where a signal is an exit code.
  const isHeapFull = end === 'SIGABRT' || end === 134;
  return isHeapFull
    ? new AppError(
        'INTERNAL',
        'The index was not built: the catalogue with all that was imported does not fit into the memory that Node may use. Give it more, for example NODE_OPTIONS=--max-old-space-size=4096 (in MB), or undo the import.',
      )
    : new Error(`the process that indexes ended with ${end}`);
}

const loadIndexInThread: RunIndexJob = (job, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL('./index-worker.js', import.meta.url), { workerData: job });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(signal.aborted ? signal.reason : new Error(`the thread that loads ended with ${code}`));
    });
  });

/** Lists the buffers of blocks, which `postMessage` transfers. */
export function listBlockBuffers(blocks: VersionBlocks | null): ArrayBuffer[] {
  return blocks === null ? [] : files.blockNames.map((name) => blocks[name].buffer as ArrayBuffer);
}
