import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Of the file and of the processes that it started and waited for. */
    cpuSeconds?: number;
  }
}

/** Of Linux, for the times in /proc. */
const TICKS_PER_SECOND = 100;

/** User and system time of this process and of its children that ended, in seconds. */
function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readChildSeconds();
}

function readChildSeconds(): number {
  try {
    const [, after = ''] = readFileSync('/proc/self/stat', 'latin1').split(') ');
    const [user = '0', system = '0'] = after.split(' ').slice(13, 15);
    return (Number(user) + Number(system)) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

const before = readCpuSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest takes no other name for what is not used.
afterAll(({}, file) => {
  file.meta.cpuSeconds = readCpuSeconds() - before;
});
