import { defineConfig } from 'vitest/config';
import { reportCost } from './test/helpers/report-cost.ts';
import { useBuild } from './test/helpers/use-build.ts';

/** Files that only `npm run test:full` runs; see CONTRIBUTING.md. */
const FULL = 'test/**/*.full.test.ts';
/** No browser, no server of a database, no process but its threads. */
const UNIT = ['domain', 'engine', 'contract', 'services', 'data'].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig(({ mode }) => ({
  plugins: mode === 'coverage' ? [] : [useBuild()],
  test: {
    include: mode === 'unit' ? UNIT : ['test/**/*.test.ts'],
    exclude: mode === 'full' ? [] : [FULL],
    // See test/helpers/draw.ts.
    env: { TEST_FULL: mode === 'full' ? '1' : '', TEST_UNIT: mode === 'unit' ? '1' : '' },
    execArgv: mode === 'coverage' ? ['--import', './test/helpers/threads-from-build.js'] : [],
    globalSetup: ['test/helpers/set-up-run.ts'],
    setupFiles: ['test/helpers/count-cpu.ts', 'test/helpers/set-up-properties.ts'],
    reporters: ['default', reportCost()],
    // Modules leave nothing behind: each worker reads the program once for all its files, not once
    // for each.
    isolate: false,
    // A third of the time tests wait, for browsers and servers. A worker needs up to 3 GB.
    maxWorkers: process.env.CI ? 3 : 2,
    // No test fails for being slow: only what never ends is ended.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'demo/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
}));
