/** The thread that builds or reads an index; see index-jobs.ts. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type IndexJob, listIndexJobBuffers, runIndexJob } from './index-jobs.ts';

const job = workerData as IndexJob;
if (job.kind === 'build') giveWay();
const blocks = runIndexJob(job);
parentPort?.postMessage(blocks, listIndexJobBuffers(blocks));

/** Takes a tenth of a core that searches want as well. On Linux alone, as elsewhere a priority is that of the whole process. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // Some sandboxes allow no change. The index is built all the same.
  }
}
