import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of `shared-index.ts`; gone when the run is over. */
    readonly sharedIndexDir: string;
  }
}

/** Run once by vitest, before everything else. */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-index-'));
  provide('sharedIndexDir', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
