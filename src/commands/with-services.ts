import type { DataDir } from '../adapters/files/data-dir.ts';
import type { SecretKeys } from '../compose/secret-keys.ts';
import type { RecordServices } from '../compose/services.ts';
import type { Config } from '../config.ts';
import type { Actor } from '../domain/admin.ts';
import type { Page, PageRequest } from '../ports/store/store.ts';
import { everyItem } from '../services/every-item.ts';

export interface CommandContext {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly secretKeys: SecretKeys;
  readonly services: RecordServices;
  /** Who runs the command. */
  readonly actor: Actor;
}

export interface StoreOptions {
  /** Refuse an embedded store that is not there, rather than make it. */
  readonly mustExist: boolean;
}

/** Run a command on the host's store, with the default tenant in it, and close the store. The store is made where it is
 *  not there, unless it must exist. Errors: STORE_UNAVAILABLE. */
export async function withServices(
  use: (context: CommandContext) => Promise<void>,
  options: StoreOptions = { mustExist: false },
): Promise<void> {
  // Store and services take a while to load, which a command that only shows its help need not wait for.
  const { openServices } = await import('./open-services.ts');
  const { context, close } = await openServices(options);
  try {
    await use(context);
  } finally {
    await close();
  }
}

/** Everything of a list that is given in pages. */
export async function readPages<T>(read: (part: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of everyItem(read)) all.push(item);
  return all;
}
