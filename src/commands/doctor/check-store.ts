import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDataDir } from '../../adapters/files/data-dir.ts';
import { findStoreSchemaState, openExistingStore } from '../../compose/open-store.ts';
import { openSecretKeys, SECRET_FILE } from '../../compose/secret-keys.ts';
import type { Config } from '../../config.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { systemClock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store/store.ts';
import { createKeyring, type SecretKeyList } from '../../services/keyring.ts';
import { createSecrets } from '../../services/secrets.ts';
import { readPages } from '../with-services.ts';
import { type Finding, fault, ok, toFaultFinding, warning } from './finding.ts';

/** What the store says, for other checks too. */
export interface Stored {
  readonly findings: readonly Finding[];
  /** Null where the store could not be read or is not there. */
  readonly facts: StoredFacts | null;
}

export interface StoredFacts {
  readonly admins: number;
  /** Number of LTI platforms, without the demo course. */
  readonly registrations: number;
  readonly hasSlackApp: boolean;
  /** When something was last noted in the audit trail. */
  readonly lastNotedAt: Date | null;
}

/** The store, and whether the secret key opens what is in it. */
export async function checkStored(config: Config): Promise<Stored> {
  try {
    const schema = await findStoreSchemaState(config);
    if (schema === null || schema.applied === 0)
      return {
        findings: [ok('store', 'there is none yet; the first start makes it'), checkUnusedKey(config)],
        facts: null,
      };
    if (schema.applied < schema.known)
      return withoutFacts(
        warning(
          'store',
          'it is of an older version, and was not read',
          'The next start brings it up to date. Back it up before: skilldock backup, or mongodump.',
        ),
      );
    if (schema.applied > schema.known)
      return withoutFacts(
        fault(
          'store',
          'it was made by a newer version of Skilldock',
          'Install that version, or restore a backup of this one.',
        ),
      );
    return await readStore(config);
  } catch (error) {
    return withoutFacts(toFaultFinding('store', error));
  }
}

const withoutFacts = (finding: Finding): Stored => ({ findings: [finding], facts: null });

/** Only what is up to date is opened so: nothing is changed by it. */
async function readStore(config: Config): Promise<Stored> {
  const store = await openExistingStore(config);
  try {
    const { kind, location, version, bytes } = await store.describe();
    const size = bytes === null ? 'of unknown size' : `${(bytes / 1e6).toFixed(1)} MB`;
    const name = kind === 'sqlite' ? 'SQLite' : 'MongoDB';
    return {
      findings: [ok('store', `${name} ${version}, ${size}, ${location}`), await checkKey(config, store)],
      facts: await readFacts(store),
    };
  } finally {
    await store.close();
  }
}

async function checkKey(config: Config, store: Store): Promise<Finding> {
  const isStored = (await store.secrets.listSecrets(null, 1)).length > 0;
  if (!isStored) return checkUnusedKey(config);
  if (!hasKey(config))
    return fault(
      'secret key',
      `there is none, and the store holds secrets sealed under one`,
      `Restore ${SECRET_FILE} in the data folder, or set SECRET_KEY to it. Without it the keys of upstreams, platforms and Slack are to be entered again.`,
    );
  try {
    const keys = readKeys(config);
    const secrets = createSecrets({
      secrets: store.secrets,
      keyring: createKeyring(keys),
      clock: systemClock,
    });
    const { readable, problems } = await secrets.checkAll();
    if (problems.length === 0) return ok('secret key', `it opens all ${readable} secrets of the store`);
    const paths = problems.slice(0, 3).map(({ path }) => path);
    return fault(
      'secret key',
      `it opens ${readable} secrets of the store and not ${problems.length} others (${paths.join(', ')}${problems.length > 3 ? ', …' : ''})`,
      'Give the key they were sealed under as SECRET_KEY_PREVIOUS, and run skilldock secrets rotate; or enter them again on the admin page.',
    );
  } catch (error) {
    return toFaultFinding('secret key', error);
  }
}

function checkUnusedKey(config: Config): Finding {
  return hasKey(config)
    ? ok('secret key', 'there is one; nothing is sealed under it yet')
    : ok('secret key', 'there is none yet; the first start makes it');
}

/** The data folder is opened only where the key is in it: opening it would create it. */
const readKeys = (config: Config): SecretKeyList =>
  config.secretKey === undefined
    ? openSecretKeys(config, openDataDir(config.dataDir)).read()
    : [config.secretKey, ...config.previousSecretKeys];

const hasKey = ({ secretKey, dataDir }: Config) =>
  secretKey !== undefined || existsSync(resolve(dataDir, SECRET_FILE));

const BY_NAME = { search: '', descending: false } as const;
const FIRST = { page: 0, pageSize: 1 } as const;
const LATEST = {
  scope: null,
  action: null,
  period: { from: null, until: null },
  search: '',
  ascending: false,
} as const;

async function readFacts({ admins, ltiRegistrations, secrets, audit }: Store): Promise<StoredFacts> {
  const [owners, platforms, slackApp, notes] = await Promise.all([
    admins.listAdmins({ ...BY_NAME, ...FIRST, sort: 'name' }),
    readPages((page) =>
      ltiRegistrations.listRegistrations({ ...BY_NAME, ...page, scope: null, sort: 'createdAt' }),
    ),
    secrets.findSecret(DEFAULT_TENANT, 'slack-app'),
    audit.listAuditEntries({ ...LATEST, ...FIRST }),
  ]);
  return {
    admins: owners.total,
    registrations: platforms.filter(({ origin }) => origin !== 'demo').length,
    hasSlackApp: slackApp !== null,
    lastNotedAt: notes.items[0]?.at ?? null,
  };
}
