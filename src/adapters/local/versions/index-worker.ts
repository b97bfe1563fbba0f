/** The thread of `runIndexJobApart` that loads. */
import { parentPort, workerData } from 'node:worker_threads';
import { type IndexJob, listBlockBuffers, runIndexJob } from './index-jobs.ts';

const blocks = runIndexJob(workerData as IndexJob);
parentPort?.postMessage(blocks, listBlockBuffers(blocks));
