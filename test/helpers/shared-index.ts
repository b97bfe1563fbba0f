import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

// A host that runs from its sources has another fingerprint than the built one, and takes nothing of what the build made.

/** Put the index that another host of this run made of the starter catalogue into a data folder, so that not every host builds
 *  its own. A host takes it only where the fingerprint is right. */
export function lendIndex(dataDir: string): void {
  cpSync(inject('sharedIndexDir'), join(dataDir, 'catalog'), { recursive: true, filter: isWhole });
}

/** Keep what a host has built for those that come after it. */
export function keepIndex(dataDir: string): void {
  const shared = inject('sharedIndexDir');
  const own = join(dataDir, 'catalog');
  mkdirSync(own, { recursive: true });
  const known = readdirSync(shared);
  for (const name of readdirSync(own).filter((each) => each.endsWith('-starter') && !known.includes(each))) {
    const draft = join(shared, `${name}.${process.pid}.new`);
    cpSync(join(own, name), draft, { recursive: true });
    moveUnlessThere(draft, join(shared, name));
  }
}

const isWhole = (path: string) => !path.endsWith('.new');

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Another file of tests was quicker, with the same.
    rmSync(from, { recursive: true, force: true });
  }
}
