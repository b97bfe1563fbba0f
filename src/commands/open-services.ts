import { userInfo } from 'node:os';
import { type DataDir, openDataDir } from '#adapters/files/data-dir';
import { refuseLostStore } from '#compose/open-data';
import { openSharedFiles, openStore, refuseMissingStore } from '#compose/open-store';
import { createRecordServices, type RecordServices, toInitialUpstream } from '#compose/record-services';
import { openSecretKeys, type SecretKeys } from '#compose/secret-keys';
import { type Config, readConfig } from '#config';
import type { Actor } from '#domain/admin';
import { systemClock } from '#ports/clock';
import type { SharedFiles } from '#ports/shared-files';
import { printProblem } from './print.ts';

export interface CommandContext {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly secretKeys: SecretKeys;
  readonly services: RecordServices;
  readonly shared?: SharedFiles;
  /** Who runs the command. */
  readonly actor: Actor;
}

export interface StoreOptions {
  /** Refuse a missing embedded store, rather than create it. */
  readonly mustExist: boolean;
}

export interface OpenedServices {
  readonly context: CommandContext;
  close(): Promise<void>;
}

/** Opens the services over the store of the settings; those that need a lost secret key reject with
 *  SECRETS_LOST.
 *  Errors: CONFIG_INVALID, DATA_DIR_UNWRITABLE, STORE_UNAVAILABLE, STORE_LOST. */
export async function openServices({ mustExist }: StoreOptions): Promise<OpenedServices> {
  const config = readConfig();
  if (mustExist) refuseMissingStore(config);
  const dataDir = openDataDir(config.dataDir);
  refuseLostStore(config);
  const store = await openStore(config, dataDir);
  try {
    const secretKeys = openSecretKeys(config, dataDir, {
      isAnySealed: (await store.secrets.listSecrets(null, 1)).length > 0,
      allowLost: false,
    });
    const deps = { store, clock: systemClock, onProblem: printProblem };
    const services = createRecordServices({ ...deps, secretKeys });
    await services.tenants.prepareDefault(toInitialUpstream(config));
    return {
      context: {
        ...{ config, dataDir, secretKeys, services, actor: makeCommandActor() },
        ...openSharedFiles(config, deps),
      },
      async close() {
        try {
          // Clearing what it left needs the store.
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

/** The account that runs the command, for the audit trail. */
const makeCommandActor = (): Actor => ({ kind: 'command', id: null, name: accountName(), address: null });

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no account has.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
