import { rm } from 'node:fs/promises';
import { type DataDir, makeDataDirSecret, openDataDir } from '#adapters/files/data-dir';
import { createUploads, type UploadFolder } from '#adapters/files/uploads';
import type { Config } from '#config';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createKeyring, type SecretKeyList } from '#services/host/keyring';
import { createSecrets } from '#services/host/secrets';
import { takeHostLock } from './host-lock.ts';
import { refuseLostSecrets, refuseLostStore } from './losses.ts';
import { openStore } from './open-store.ts';
import { openSecretKeys, type SecretKeys } from './secret-keys.ts';

export interface DataOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** Whether to go on without a store or secrets that are lost. */
  readonly allowLostSecrets: boolean;
  /** Whether a host may be running on the same folder: this one does not keep it for itself. */
  readonly isBeside: boolean;
  /** Told of what went wrong in passing. */
  onProblem(error: unknown): void;
}

/** What a host keeps between its runs. */
export interface HostData {
  readonly dataDir: DataDir;
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  /** As they are now. */
  readonly keys: SecretKeyList;
  readonly demoKey: string;
  /** Not started. */
  readonly uploads: UploadFolder;
  close(): Promise<void>;
}

/** Opens it for this host alone, and makes what a first start needs once it is clear that nothing is lost.
 *  Errors: CONFIG_INVALID, DATA_DIR_UNWRITABLE, DATA_DIR_IN_USE, STORE_UNAVAILABLE, STORE_LOST, SECRETS_LOST. */
export async function openData(options: DataOptions): Promise<HostData> {
  const { config, allowLostSecrets: allowLost, isBeside } = options;
  const dataDir = openDataDir(config.dataDir);
  if (!allowLost) refuseLostStore(config);
  const store = await openStore(config, dataDir);
  try {
    const lock = isBeside ? null : takeHostLock(config, dataDir);
    try {
      const secretKeys = await openKeys(options, { dataDir, store });
      const demoKey =
        config.demoApiKey ??
        dataDir.readOrCreate('demo.key', () => `demo_${makeDataDirSecret().slice(0, 16)}`);
      const uploads = createUploads({ folder: dataDir.file('uploads'), onProblem: options.onProblem });
      if (lock !== null) {
        await uploads.removeLeftovers(lock);
        // Vectors of models, which hosts kept before they came with the index.
        await rm(dataDir.file('vectors'), { recursive: true, force: true }).catch(options.onProblem);
        lock.share();
      }
      return {
        ...{ dataDir, store, secretKeys, keys: secretKeys.read(), demoKey, uploads },
        async close() {
          await store.close();
          lock?.release();
        },
      };
    } catch (error) {
      lock?.release();
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openKeys(
  { config, clock, allowLostSecrets: allowLost }: DataOptions,
  { dataDir, store }: Pick<HostData, 'dataDir' | 'store'>,
): Promise<SecretKeys> {
  const isAnySealed = (await store.secrets.listSecrets(null, 1)).length > 0;
  const secretKeys = openSecretKeys(config, dataDir, { isAnySealed, allowLost });
  const keyring = createKeyring(secretKeys.read());
  if (!allowLost)
    await refuseLostSecrets(createSecrets({ secrets: store.secrets, keyring, clock }), secretKeys);
  return secretKeys;
}
