/** The program of the thread in which `runIndexJobApart` loads. */
import { parentPort, workerData } from 'node:worker_threads';
import { type IndexJob, listBlockBuffers, runIndexJob } from './index-jobs.ts';

const blocks = runIndexJob(workerData as IndexJob);
parentPort?.postMessage(blocks, listBlockBuffers(blocks));
