import { defineConfig } from 'vitest/config';
import { reportSlowestFiles } from './test/helpers/slowest-files.ts';

/** Files whose modules leave nothing behind: each worker reads the program once for all of them, not once for each. */
const sharing = [
  'adapters',
  'bench',
  'compose',
  'contract',
  'data',
  'demo',
  'domain',
  'engine',
  'faces',
  'services',
];

const common = (mode: string) => ({
  // `npm run test:full`: see test/helpers/draw.ts.
  env: { TEST_FULL: mode === 'full' ? '1' : '' },
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // Whoever polls waits for something that comes; one second is too little where everything else runs as well.
  expect: { poll: { timeout: 10_000 } },
});

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ['default', reportSlowestFiles()],
    // Here and not in `common`: once for both.
    globalSetup: ['test/helpers/set-up-run.ts'],
    // Browser tests and hosts share two cores in CI; more workers only make them wait for each other.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'demo/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      {
        test: {
          ...common(mode),
          name: 'sharing',
          include: [`test/(${sharing.join('|')})/**/*.test.ts`],
          isolate: false,
        },
      },
      {
        test: {
          ...common(mode),
          name: 'apart',
          include: ['test/*.test.ts', `test/!(${sharing.join('|')})/**/*.test.ts`],
        },
      },
    ],
  },
}));
