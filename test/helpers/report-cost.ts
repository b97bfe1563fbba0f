import type { Reporter } from 'vitest/node';

const SHOWN = Number(process.env.TEST_COSTS ?? 20);

/** Says at the end of a run which files took most CPU: their imports and tests with the processes
 *  that they started, but without the servers and the browser that the run shares. */
export function reportCost(): Reporter {
  return {
    onTestRunEnd(modules) {
      if (modules.length <= SHOWN) return;
      const costs = modules
        .map((module) => ({ file: module.relativeModuleId, seconds: module.meta().cpuSeconds ?? 0 }))
        .toSorted((a, b) => b.seconds - a.seconds);
      const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
      const lines = costs.slice(0, SHOWN).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
      process.stdout.write(`\nCPU of ${costs.length} files: ${total.toFixed(0)} s. Most took:\n${lines.join('\n')}\n`);
    },
  };
}
