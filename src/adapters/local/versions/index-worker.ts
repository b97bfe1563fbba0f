/** The thread of `runIndexJobInWorker`. */
import { parentPort, workerData } from 'node:worker_threads';
import { createSearchPause, type IndexWorkerData, listIndexJobBuffers, runIndexJob } from './index-jobs.ts';

const { job, searches } = workerData as IndexWorkerData;
const blocks = runIndexJob(job, createSearchPause(searches));
parentPort?.postMessage(blocks, listIndexJobBuffers(blocks));
