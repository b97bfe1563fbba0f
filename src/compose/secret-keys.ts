import { type DataDir, makeSecret } from '../adapters/files/data-dir.ts';
import { type Config, MIN_SECRET_LENGTH } from '../config.ts';
import { AppError } from '../errors.ts';

export const SECRET_FILE = 'secret.key';
/** What was in `SECRET_FILE` before, until everything is sealed anew. */
export const PREVIOUS_SECRET_FILE = 'secret.key.previous';

/** The host's secret keys: what is sealed and signed under them. */
export interface SecretKeys {
  /** As they are now, the current one first. Keys in files may be changed by a command beside the host.
   *  Errors: CONFIG_INVALID when one in a file is too short, DATA_DIR_UNWRITABLE. */
  read(): readonly string[];
  /** Whether the current one is in a file of the data folder rather than in the environment. */
  readonly isInFile: boolean;
}

/** Where the settings say the keys are; the first start of an embedded host makes one. */
export function openSecretKeys(
  { secretKey, previousSecretKeys, mongodbUri }: Config,
  dataDir: DataDir,
): SecretKeys {
  if (secretKey !== undefined) return { isInFile: false, read: () => [secretKey, ...previousSecretKeys] };
  // readConfig refuses this too; whoever makes a Config by other means must not get a key of one host only.
  if (mongodbUri !== undefined) throw sharedKeyMissing();
  return {
    isInFile: true,
    read() {
      const current = dataDir.readOrCreate(SECRET_FILE, makeSecret);
      const previous = dataDir.find(PREVIOUS_SECRET_FILE);
      if (current.length < MIN_SECRET_LENGTH) throw tooShort(dataDir.file(SECRET_FILE));
      return [current, ...(previous === null ? [] : [previous]), ...previousSecretKeys];
    },
  };
}

function sharedKeyMissing(): AppError {
  return new AppError(
    'CONFIG_INVALID',
    'SECRET_KEY must be given with MONGODB_URI: hosts that share a store seal its secrets under one key, so none can be made here.',
  );
}

function tooShort(file: string): AppError {
  return new AppError(
    'CONFIG_INVALID',
    `The secret in ${file} is too short to be safe. Delete the file, and the next start makes a new one; stored upstream keys must be entered again then, and request ids given before end.`,
  );
}
