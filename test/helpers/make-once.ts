import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface MakeOnceOptions {
  /** A lock that is older belongs to a run that was killed. */
  readonly timeoutMs: number;
}

/** Makes a folder where it is missing: of the test files that need it at once, one makes it for all. It appears under its name when it
 *  is complete, so whoever finds it may use it.
 *  @param make fills another folder, which it makes itself */
export async function makeOnce(
  folder: string,
  make: (partial: string) => Promise<void>,
  { timeoutMs }: MakeOnceOptions,
): Promise<string> {
  const cache = dirname(folder);
  const partial = join(cache, 'partial');
  mkdirSync(cache, { recursive: true });
  await whileLocked(join(cache, 'lock'), timeoutMs, async () => {
    if (existsSync(folder)) return;
    rmSync(partial, { recursive: true, force: true });
    await make(partial);
    renameSync(partial, folder);
  });
  return folder;
}

/** One process after the other. */
export async function whileLocked(lock: string, timeoutMs: number, use: () => Promise<void>): Promise<void> {
  while (!takeLock(lock, timeoutMs)) await new Promise((done) => setTimeout(done, 200));
  try {
    await use();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function takeLock(lock: string, timeoutMs: number): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > timeoutMs) rmSync(lock, { recursive: true, force: true });
  } catch {
    // There is none.
  }
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
