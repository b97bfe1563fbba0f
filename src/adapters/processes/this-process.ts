/** The limits of a child process; see `limited-process.ts`. */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const CHECK_MS = 20;

/** Has this process end at its memory limit, and with its parent, which a thread watches. */
export function limitThisProcess(): void {
  process.on('disconnect', endThisProcess);
  // Signals of a terminal reach the host as well, which then ends this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  new Worker(new URL(import.meta.url), { workerData: { maxBytes: Number(process.argv[2]) } }).unref();
}

function endThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function watchProcessMemory(maxBytes: number): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) endThisProcess();
  }, CHECK_MS);
}

if (!isMainThread) watchProcessMemory((workerData as { readonly maxBytes: number }).maxBytes);
