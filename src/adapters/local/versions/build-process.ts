/** The program of the process in which `runIndexJobApart` builds. */
import { setPriority } from 'node:os';
import { limitThisProcess } from '#adapters/processes/this-process';
import { AppError } from '#errors';
import { type BuildOutcome, type IndexJob, runIndexJob } from './index-jobs.ts';

/** Against one busy process, this one still gets a third of a core, so that it always ends. */
const LOWER_PRIORITY = 3;

limitThisProcess();
setPriority(LOWER_PRIORITY);
process.once('message', (job: IndexJob) => {
  process.send?.(tryToBuildVersion(job) satisfies BuildOutcome);
});

function tryToBuildVersion(job: IndexJob): BuildOutcome {
  try {
    runIndexJob(job);
    return null;
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    return { code: error instanceof AppError ? error.code : 'INTERNAL', message };
  }
}
