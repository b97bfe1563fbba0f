import { userInfo } from 'node:os';
import { openDataDir } from '#adapters/files/data-dir';
import { refuseLostDataStore } from '#compose/open-data';
import { openSharedFiles, openStore, refuseMissingStore } from '#compose/open-store';
import { createRecordServices, readInitialUpstream } from '#compose/record-services';
import { openSecretKeys } from '#compose/secret-keys';
import { readConfig } from '#config';
import type { Actor } from '#domain/admin';
import { systemClock } from '#ports/clock';
import { printProblem } from './print.ts';

export type CommandContext = Awaited<ReturnType<typeof openCommandServices>>['context'];

export interface StoreOptions {
  /** Refuses a missing embedded store instead of creating it. */
  readonly mustExist: boolean;
}

/** Opens the store of the host with the services over it, as this system account. Errors:
 *  CONFIG_INVALID, DATA_DIR_UNWRITABLE, STORE_UNAVAILABLE, STORE_LOST. */
export async function openCommandServices({ mustExist }: StoreOptions) {
  const config = readConfig();
  if (mustExist) refuseMissingStore(config);
  const dataDir = openDataDir(config.dataDir);
  refuseLostDataStore(config);
  const store = await openStore(config, dataDir);
  try {
    const secretKeys = openSecretKeys(config, dataDir, {
      isAnySealed: (await store.secrets.listSecrets(null, 1)).length > 0,
      allowLost: false,
    });
    const deps = { store, clock: systemClock, onProblem: printProblem };
    const services = createRecordServices({ ...deps, secretKeys, backupDays: config.backups?.keptDays ?? null });
    await services.tenants.prepareDefault(readInitialUpstream(config));
    const actor: Actor = { kind: 'command', id: null, name: findAccountName(), address: null };
    return {
      context: { config, dataDir, secretKeys, services, actor, ...openSharedFiles(config, deps) },
      async close(): Promise<void> {
        try {
          // Cleaning up needs the store.
          await services.imports.close();
        } finally {
          await store.close();
        }
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function findAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no account has.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
