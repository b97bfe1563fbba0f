import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDataDir } from '#adapters/files/data-dir';
import { nameLostSecrets } from '#compose/open-data';
import { openSecretKeys, SECRET_FILE, WITHOUT_SECRETS } from '#compose/secret-keys';
import type { Config } from '#config';
import { systemClock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createKeyring, type SecretKeyList } from '#services/host/keyring';
import { createSecrets, type StoredSecret } from '#services/host/secrets';
import { type Finding, fault, ok, toFaultFinding, warning } from './finding.ts';

const NAME = 'secret key';

/** Whether the secret key opens what is in the store. */
export async function checkKey(config: Config, store: Store): Promise<Finding> {
  const isStored = (await store.secrets.listSecrets(null, 1)).length > 0;
  if (!isStored) return checkUnusedKey(config);
  if (!hasKey(config))
    return fault(
      NAME,
      'there is none, and the store holds secrets sealed under one',
      `Restore ${SECRET_FILE} in the data folder, or set SECRET_KEY to what was in it. ${WITHOUT_SECRETS}`,
    );
  try {
    const keyring = createKeyring(readKeys(config));
    const secrets = createSecrets({ secrets: store.secrets, keyring, clock: systemClock });
    const stored: StoredSecret[] = [];
    for await (const secret of secrets.listStored()) stored.push(secret);
    return describeStored(stored);
  } catch (error) {
    return toFaultFinding(NAME, error);
  }
}

/** The same where nothing is sealed yet. */
export function checkUnusedKey(config: Config): Finding {
  if (hasKey(config)) return ok(NAME, 'there is one; nothing is sealed under it yet');
  return config.secretKey === undefined && existsSync(fileOf(config))
    ? fault(NAME, `${fileOf(config)} is empty`, `Restore the file, or set SECRET_KEY. ${WITHOUT_SECRETS}`)
    : ok(NAME, 'there is none yet; the first start makes it');
}

function describeStored(stored: readonly StoredSecret[]): Finding {
  const inState = (wanted: StoredSecret['state']) => stored.filter(({ state }) => state === wanted);
  const [readable, unreadable, givenUp] = [inState('readable'), inState('unreadable'), inState('given-up')];
  const opened = `it opens ${readable.length} secrets of the store`;
  if (unreadable.length > 0)
    return fault(
      NAME,
      `${opened} and not ${unreadable.length} others (${nameLostSecrets(unreadable)})`,
      `Give the key they were sealed under as SECRET_KEY_PREVIOUS, and run skilldock secrets rotate; or enter them again on the admin page. ${WITHOUT_SECRETS}`,
    );
  return givenUp.length > 0
    ? warning(
        NAME,
        `${opened}; ${givenUp.length} others were given up (${nameLostSecrets(givenUp)})`,
        'Enter them again on the admin page.',
      )
    : ok(NAME, `it opens all ${readable.length} secrets of the store`);
}

/** The data folder is opened only where the key is in it: opening it would create it. */
const readKeys = (config: Config): SecretKeyList =>
  config.secretKey === undefined
    ? openSecretKeys(config, openDataDir(config.dataDir)).read()
    : [config.secretKey, ...config.previousSecretKeys];

const hasKey = (config: Config) =>
  config.secretKey !== undefined ||
  (existsSync(fileOf(config)) && readFileSync(fileOf(config), 'utf8').trim() !== '');

const fileOf = ({ dataDir }: Config) => resolve(dataDir, SECRET_FILE);
