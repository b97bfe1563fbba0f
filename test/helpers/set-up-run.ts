import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { drawSeed } from './draw.ts';
import { openSharedServers } from './shared-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of `shared-index.ts`; gone when the run is over. */
    readonly sharedIndexDir: string;
    /** Address of `shared-servers.ts`, without a slash at the end. */
    readonly sharedServersUrl: string;
  }
}

/** Run once by vitest, before everything else. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Also for the workers, and still the same after midnight.
  process.env.TEST_SEED = drawSeed();
  process.stdout.write(
    `Large matrices are drawn from: TEST_SEED=${process.env.TEST_SEED} repeats it, "npm run test:full" walks all.\n`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-index-'));
  const servers = await openSharedServers();
  provide('sharedIndexDir', folder);
  provide('sharedServersUrl', servers.url);
  return async () => {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
