/** The thread that builds or reads an index; see index-jobs.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { type IndexWorkerData, listIndexJobBuffers, runIndexJob } from './index-jobs.ts';
import { createSearchPause } from './search-activity.ts';

const { job, searches } = workerData as IndexWorkerData;
const blocks = runIndexJob(job, createSearchPause(searches));
parentPort?.postMessage(blocks, listIndexJobBuffers(blocks));
