import { defineConfig } from 'vitest/config';
import { reportSlowestFiles } from './test/helpers/slowest-files.ts';

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run test:full`: see test/helpers/draw.ts.
    env: { TEST_FULL: mode === 'full' ? '1' : '' },
    globalSetup: ['test/helpers/set-up-run.ts'],
    reporters: ['default', reportSlowestFiles()],
    // Modules leave nothing behind: each worker reads the program once for all its files, not once for each.
    isolate: false,
    // Browser tests and hosts share two cores in CI; more workers would only make them wait for each other.
    maxWorkers: 4,
    testTimeout: 30_000,
    // A shared machine that stands still for a while is no fault of the program. The report names what was tried again.
    retry: process.env.CI === undefined ? 0 : 1,
    hookTimeout: 60_000,
    // What is polled for comes, but one second is too little where everything else runs as well.
    expect: { poll: { timeout: 10_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'demo/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
}));
