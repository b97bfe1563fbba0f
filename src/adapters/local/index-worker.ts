/** The thread that builds or reads an index; see index-jobs.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { type IndexJob, listIndexJobBuffers, runIndexJob } from './index-jobs.ts';

const blocks = runIndexJob(workerData as IndexJob);
parentPort?.postMessage(blocks, listIndexJobBuffers(blocks));
