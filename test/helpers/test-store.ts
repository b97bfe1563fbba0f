import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/ports/store/store.ts';

let template: string | undefined;

/** The embedded store in this file. A new file begins as a copy of one that this worker has made before, as making the tables takes
 *  twice as long as opening them. Tests of the schema make them. */
export function openTestStore(path: string): Store {
  template ??= makeTemplate();
  if (!existsSync(path)) copyFileSync(template, path);
  return createSqliteStore(path);
}

function makeTemplate(): string {
  // Goes with the folder of the run.
  const path = join(mkdtempSync(join(tmpdir(), 'skilldock-template-')), 'skilldock.db');
  // Done when the call returns: this store waits for nothing.
  void createSqliteStore(path).close();
  return path;
}
