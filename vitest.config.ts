import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Browser tests and hosts share two cores in CI; more workers only make them wait for each other.
    maxWorkers: 2,
    // Whoever polls waits for something that comes; one second is too little where everything else runs as well.
    expect: { poll: { timeout: 10_000 } },
  },
});
