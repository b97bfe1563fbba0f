import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { drawSeed } from './draw.ts';
import { openSharedServers } from './shared-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of `shared-servers.ts`, without a slash at the end. */
    readonly sharedServersUrl: string;
  }
}

/** Files that live for some milliseconds are not worth a disk. */
const MEMORY = '/dev/shm';
const BYTES = 4e9;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= BYTES;
  } catch {
    return false;
  }
}

/** Run once by vitest, before everything else. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Also for the workers, and still the same after midnight.
  process.env.TEST_SEED = drawSeed();
  process.stdout.write(
    `Large matrices are drawn from: TEST_SEED=${process.env.TEST_SEED} repeats it, "npm run test:full" walks all.\n`,
  );
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'skilldock-run-'));
  // For the workers, and for what they start.
  process.env.TMPDIR = folder;
  const servers = await openSharedServers();
  provide('sharedServersUrl', servers.url);
  return async () => {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
