import { userInfo } from 'node:os';
import { type DataDir, openDataDir } from '../adapters/files/data-dir.ts';
import { toInitialUpstream } from '../compose/initial-upstream.ts';
import { type OpenOptions, openStore, refuseMissingStore } from '../compose/open-store.ts';
import { openSecretKeys, type SecretKeys } from '../compose/secret-keys.ts';
import { createRecordServices, type RecordServices } from '../compose/services.ts';
import { type Config, readConfig } from '../config.ts';
import type { Actor } from '../domain/admin.ts';
import { systemClock } from '../ports/clock.ts';

export interface CommandContext {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly secretKeys: SecretKeys;
  readonly services: RecordServices;
  /** Who runs the command. */
  readonly actor: Actor;
}

/** Run a command on the host's store, with the default tenant in it, and close the store. The store is made where it is
 *  not there, unless it must exist. Errors: STORE_UNAVAILABLE. */
export async function withServices(
  use: (context: CommandContext) => Promise<void>,
  { mustExist }: OpenOptions = { mustExist: false },
): Promise<void> {
  const config = readConfig();
  if (mustExist) refuseMissingStore(config);
  const dataDir = openDataDir(config.dataDir);
  const secretKeys = openSecretKeys(config, dataDir);
  const store = await openStore(config, dataDir);
  try {
    const services = createRecordServices({ store, secretKeys, clock: systemClock, onProblem: sayProblem });
    await services.tenants.prepareDefault(toInitialUpstream(config));
    try {
      await use({ config, dataDir, secretKeys, services, actor: commandActor() });
    } finally {
      // What it left to be cleared needs the store.
      await services.imports.close();
    }
  } finally {
    await store.close();
  }
}

/** What went wrong beside the command, which goes on. */
function sayProblem(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

/** The account that runs the command, for the audit trail. */
export function commandActor(): Actor {
  return { kind: 'command', id: null, name: accountName(), address: null };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no account has.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
