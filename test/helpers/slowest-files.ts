import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 20;

/** Says at the end of a run which files took longest: their imports, set-up and tests, in seconds. */
export function reportSlowestFiles(): Reporter {
  return {
    onTestRunEnd(modules) {
      const slowest = modules
        .map((module) => ({ name: module.relativeModuleId, ms: countMs(module) }))
        .toSorted((a, b) => b.ms - a.ms)
        .slice(0, SHOWN);
      if (modules.length <= SHOWN) return;
      const lines = slowest.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
      process.stdout.write(`\nThe ${SHOWN} slowest files:\n${lines.join('\n')}\n`);
    },
  };
}

function countMs(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
}
