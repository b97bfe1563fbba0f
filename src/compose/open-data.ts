import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createDataDirError, type DataDir, makeDataDirSecret, openDataDir } from '#adapters/files/data-dir';
import { createUploads } from '#adapters/files/uploads';
import { type FileLock, lockFile } from '#adapters/store/sqlite/file-lock';
import { isDatabaseEmpty } from '#adapters/store/sqlite/schema';
import type { Config } from '#config';
import { systemActor } from '#domain/admin';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createKeyring } from '#services/host/keyring';
import { createSecrets, type Secrets, type StoredSecret } from '#services/host/secrets';
import { DATABASE, openStore } from './open-store.ts';
import { ALLOW_LOST, openSecretKeys, type SecretKeys, WITHOUT_SECRETS } from './secret-keys.ts';
import type { Services } from './services.ts';

interface DataOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** Whether to start although the store or secrets are lost. */
  readonly allowLostSecrets: boolean;
  /** Whether a host may be running on the same folder; the folder is then not locked. */
  readonly isBeside: boolean;
  onProblem(error: unknown): void;
}

/** Opens the data folder, the store and the secret keys; creates them if nothing can be lost. The
 *  uploads are not started.
 *  Errors: CONFIG_INVALID, DATA_DIR_*, STORE_UNAVAILABLE, STORE_LOST, SECRETS_LOST. */
export async function openData(options: DataOptions) {
  const { config, allowLostSecrets, isBeside, onProblem } = options;
  const dataDir = openDataDir(config.dataDir);
  if (!allowLostSecrets) refuseLostDataStore(config);
  const store = await openStore(config, dataDir);
  let lock: FileLock | null = null;
  const closeData = async () => {
    await store.close();
    lock?.release();
  };
  try {
    if (!isBeside) lock = lockDataDir(config, dataDir);
    const secretKeys = await openDataKeys(options, dataDir, store);
    const makeDemoKey = () => `demo_${makeDataDirSecret().slice(0, 16)}`;
    const demoKey = config.demoApiKey ?? dataDir.readOrCreate(DEMO_KEY_FILE, makeDemoKey);
    const uploads = createUploads({ folder: dataDir.file('uploads'), onProblem });
    if (lock !== null) {
      await uploads.removeLeftovers(lock);
      // Earlier versions stored the vectors of a model there; now they are part of the index.
      await rm(dataDir.file('vectors'), { recursive: true, force: true }).catch(onProblem);
      lock.share();
    }
    return { dataDir, store, secretKeys, demoKey, uploads, close: closeData };
  } catch (error) {
    await closeData();
    throw error;
  }
}

const DEMO_KEY_FILE = 'demo.key';

async function openDataKeys(options: DataOptions, dataDir: DataDir, store: Store): Promise<SecretKeys> {
  const { config, clock, allowLostSecrets } = options;
  const isAnySealed = (await store.secrets.listSecrets(null, 1)).length > 0;
  const secretKeys = openSecretKeys(config, dataDir, { isAnySealed, allowLost: allowLostSecrets });
  const keyring = createKeyring(secretKeys.read());
  const secrets = createSecrets({ secrets: store.secrets, keyring, clock });
  if (!allowLostSecrets) await refuseLostSecrets(secrets, secretKeys);
  return secretKeys;
}

/** Exists where a host with an embedded store has run, and is locked while one runs. */
const LOCK_FILE = 'host.lock';
/** Hosts on MongoDB may share a data folder. */
const SHARED_LOCK_FILE = 'hosts.lock';

/** Keeps a second host away from the data folder of an embedded store, which each host caches.
 *  Hosts on MongoDB share their lock; commands take none. Errors: DATA_DIR_IN_USE,
 *  DATA_DIR_UNWRITABLE. */
export function lockDataDir({ mongodbUri }: Config, dataDir: DataDir): FileLock {
  const isShared = mongodbUri !== undefined;
  const path = dataDir.file(isShared ? SHARED_LOCK_FILE : LOCK_FILE);
  try {
    const lock = lockFile(path, { isShared });
    if (lock !== null) return lock;
  } catch (cause) {
    throw createDataDirError(path, cause);
  }
  throw new AppError(
    'DATA_DIR_IN_USE',
    `Another host runs on the data folder ${dataDir.path}. Stop that one, set DATA_DIR to another folder for this one, or let both share a store of MongoDB (MONGODB_URI).`,
  );
}

/** Refuses a data folder whose store is lost. Call it before `openStore`, which creates the file.
 *  Errors: STORE_LOST if a host has used the folder; STORE_UNAVAILABLE for a damaged store. */
export function refuseLostDataStore({ mongodbUri, dataDir }: Pick<Config, 'mongodbUri' | 'dataDir'>): void {
  const hasHostRun = [LOCK_FILE, DEMO_KEY_FILE].some((name) => existsSync(resolve(dataDir, name)));
  if (mongodbUri !== undefined || !hasHostRun) return;
  const path = resolve(dataDir, DATABASE);
  // The size first: SQLite may remove the journal beside an empty file that it opens.
  const isEmpty = () => statSync(path).size === 0 || isDatabaseEmpty(path);
  const isMissing = !existsSync(path);
  if (!isMissing && !isEmpty()) return;
  throw new AppError(
    'STORE_LOST',
    `The store ${path} is ${isMissing ? 'missing' : 'empty'}, although a server has used this folder: its data would be lost. Restore it with "skilldock restore" and the file of a backup, or correct DATA_DIR or MONGODB_URI. ${ALLOW_LOST}, which makes a new one.`,
  );
}

/** Errors: SECRETS_LOST if stored secrets cannot be opened that no operator has given up. */
async function refuseLostSecrets(secrets: Secrets, { isInFile }: SecretKeys): Promise<void> {
  const lost: StoredSecret[] = [];
  for await (const secret of secrets.listStored()) if (secret.state === 'unreadable') lost.push(secret);
  if (lost.length === 0) return;
  const [key, restore] = isInFile
    ? ['in secret.key', 'restore secret.key']
    : ['of the environment', 'give SECRET_KEY the value it had'];
  throw new AppError(
    'SECRETS_LOST',
    `The secret key ${key} does not open ${lost.length} of the secrets that the store holds (${nameLostSecrets(lost)}). It is not the one they are sealed under: ${restore}, or add that one to SECRET_KEY_PREVIOUS. ${WITHOUT_SECRETS}`,
  );
}

/** Makes new signing keys, and marks other unreadable secrets, for which the admin page asks. */
export async function giveUpLostSecrets(
  services: Pick<Services, 'secrets' | 'keyring' | 'ltiRegistrations' | 'audit'>,
): Promise<void> {
  const { secrets, keyring, ltiRegistrations, audit } = services;
  const renewed = await ltiRegistrations.renewUnreadableKeys(systemActor);
  const { length: givenUp } = await secrets.giveUpUnreadable();
  if (renewed + givenUp === 0) return;
  await audit.record(systemActor, {
    action: 'secrets.given-up',
    tenantId: null,
    target: keyring.currentKeyId,
    details: { renewed: String(renewed), givenUp: String(givenUp) },
  });
}

const MAX_NAMES = 3;

/** Names secrets in a message: `default/slack-app, school/upstream-api-key, …`. */
export function nameLostSecrets(secrets: readonly StoredSecret[]): string {
  const names = secrets.slice(0, MAX_NAMES).map(({ tenantId, name }) => `${tenantId}/${name}`);
  return `${names.join(', ')}${secrets.length > MAX_NAMES ? ', …' : ''}`;
}
