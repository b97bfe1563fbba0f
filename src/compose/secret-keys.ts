import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type DataDir, makeDataDirSecret } from '#adapters/files/data-dir';
import { type Config, MIN_SECRET_LENGTH } from '#config';
import { AppError } from '#errors';
import type { SecretKeyList } from '#services/host/keyring';
import type { Resealed, Secrets } from '#services/host/secrets';

export const SECRET_FILE = 'secret.key';
/** The previous content of `SECRET_FILE` until all secrets are sealed under the new key. */
const PREVIOUS_SECRET_FILE = 'secret.key.previous';

export interface SecretKeys {
  /** Returns the current key first. Errors: CONFIG_INVALID, SECRETS_LOST, DATA_DIR_UNWRITABLE. */
  read(): SecretKeyList;
  readonly isInFile: boolean;
}

interface SecretKeyRules {
  /** Whether the store holds secrets, which a new key would not open. */
  readonly isAnySealed: boolean;
  /** Whether to create a new key nevertheless. */
  readonly allowLost: boolean;
}

const ofNewHosts: SecretKeyRules = { isAnySealed: false, allowLost: false };

/** Opens the keys that the settings name. The first start of an embedded host creates one.
 *  Errors: CONFIG_INVALID without SECRET_KEY for MongoDB. */
export function openSecretKeys(
  { secretKey, previousSecretKeys, mongodbUri }: Config,
  dataDir: DataDir,
  { isAnySealed, allowLost }: SecretKeyRules = ofNewHosts,
): SecretKeys {
  if (secretKey !== undefined) return { isInFile: false, read: () => [secretKey, ...previousSecretKeys] };
  // `readConfig` refuses this too; a `Config` made otherwise must not get a key of one host only.
  if (mongodbUri !== undefined)
    throw new AppError(
      'CONFIG_INVALID',
      'SECRET_KEY must be given with MONGODB_URI: hosts that share a store seal its secrets under one key, so none can be made here.',
    );
  let last: string | undefined;

  function make(): string {
    const isEmpty = existsSync(dataDir.file(SECRET_FILE));
    if ((isEmpty || isAnySealed) && !allowLost)
      throw createLostKeyError(dataDir.file(SECRET_FILE), isEmpty, isAnySealed);
    return dataDir.readOrCreate(SECRET_FILE, makeDataDirSecret);
  }

  return {
    isInFile: true,
    read() {
      // A host whose file is removed continues with the last key, under which all is sealed.
      const current = dataDir.find(SECRET_FILE) ?? last ?? make();
      last = current;
      const previous = dataDir.find(PREVIOUS_SECRET_FILE);
      if (current.length < MIN_SECRET_LENGTH)
        throw new AppError(
          'CONFIG_INVALID',
          `The secret in ${dataDir.file(SECRET_FILE)} is too short to be safe. Delete the file, and the next start makes a new one; stored upstream keys must be entered again then, and request ids given before end.`,
        );
      return [current, ...(previous === null ? [] : [previous]), ...previousSecretKeys];
    },
  };
}

/** The last resort, for messages about lost data. */
export const ALLOW_LOST = 'If it is lost for good, start once with "skilldock serve --allow-lost-secrets"';
export const WITHOUT_SECRETS = `${ALLOW_LOST}: the overview of the admin page then says what is to be entered again.`;

function createLostKeyError(file: string, isEmpty: boolean, isAnySealed: boolean): AppError {
  const held = isAnySealed ? ', and the store holds secrets that are sealed under it' : '';
  return new AppError(
    'SECRETS_LOST',
    `The secret key ${file} is ${isEmpty ? 'empty' : 'missing'}${held}. Restore the file, or set SECRET_KEY to what was in it. ${WITHOUT_SECRETS}`,
  );
}

/** Time for hosts with the old key to store what they seal with it. */
const PAUSE_MS = 1000;

/** Replaces the key in the data folder. The old key is copied first, so that both always exist, and
 *  an interrupted rotation is resumed (returns false). Errors: CONFIG_INVALID for a key in the
 *  environment, which only the operator can change. */
export async function beginSecretKeyRotation(keys: SecretKeys, dataDir: DataDir): Promise<boolean> {
  const [current, previous] = keys.read();
  if (!keys.isInFile) {
    if (previous === undefined)
      throw new AppError(
        'CONFIG_INVALID',
        [
          'SECRET_KEY is set in the environment, so only you can change it:',
          '  1. set SECRET_KEY to a new key, for example the output of: openssl rand -base64 32',
          '  2. set SECRET_KEY_PREVIOUS to the key it has now',
          '  3. restart every host with both, and run "skilldock secrets rotate" with them again',
          '  4. when it says so, take SECRET_KEY_PREVIOUS away; keep it for 90 days if feedback on earlier searches matters',
        ].join('\n'),
      );
    return false;
  }
  if (!dataDir.create(PREVIOUS_SECRET_FILE, current)) {
    // Interrupted here, or another process is about to write the new key: wait for that one.
    if (dataDir.find(PREVIOUS_SECRET_FILE) === current) await wait(PAUSE_MS);
    if (dataDir.find(PREVIOUS_SECRET_FILE) !== dataDir.find(SECRET_FILE)) return false;
  }
  // Another rotation may have ended after the key was read; from here on none can begin.
  const latest = dataDir.readOrCreate(SECRET_FILE, makeDataDirSecret);
  if (latest !== current) dataDir.replace(PREVIOUS_SECRET_FILE, latest);
  dataDir.replace(SECRET_FILE, makeDataDirSecret());
  return true;
}

/** Seals all secrets under the new key, and removes the file of the old one. */
export async function finishSecretKeyRotation(secrets: Secrets, keys: SecretKeys, dataDir: DataDir): Promise<Resealed> {
  const first = await secrets.resealAll();
  let resealed = first.resealed;
  for (let again = 1; again > 0; resealed += again) {
    await wait(PAUSE_MS);
    again = (await secrets.resealAll()).resealed;
  }
  if (keys.isInFile) dataDir.remove(PREVIOUS_SECRET_FILE);
  return { resealed, current: first.current };
}
