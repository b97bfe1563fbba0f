import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDataDir } from '#adapters/files/data-dir';
import { nameLostSecrets, refuseLostDataStore } from '#compose/open-data';
import { findStoreSchemaState, openExistingStore } from '#compose/open-store';
import { openSecretKeys, SECRET_FILE, WITHOUT_SECRETS } from '#compose/secret-keys';
import type { Config } from '#config';
import { DEFAULT_TENANT } from '#domain/tenant';
import { systemClock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { listEveryItem } from '#services/host/every-item';
import { createKeyring, type SecretKeyList } from '#services/host/keyring';
import { createSecrets, type StoredSecret } from '#services/host/secrets';
import { findUnknownRuleTenants } from '#services/tenants/admins/admin-records';
import { describeEndingApiKeys } from '#services/tenants/api-keys';
import { type Finding, fault, ok, toFaultFinding, warning } from './finding.ts';

export interface StoreCheck {
  readonly findings: readonly Finding[];
  /** Null if the store was not read. */
  readonly facts: StoreFacts | null;
}

interface StoreFacts {
  readonly admins: number;
  /** Number of platforms without the demo course. */
  readonly registrations: number;
  readonly hasSlackApp: boolean;
  /** Time of the last entry in the audit trail. */
  readonly lastAuditedAt: Date | null;
}

export async function checkStore(config: Config): Promise<StoreCheck> {
  try {
    refuseLostDataStore(config);
    const schema = await findStoreSchemaState(config);
    if (schema === null || schema.applied === 0)
      return {
        findings: [ok('store', 'there is none yet; the first start makes it'), checkUnusedKey(config)],
        facts: null,
      };
    if (schema.applied < schema.current)
      return withoutFacts(
        warning(
          'store',
          'it is of an older version, and was not read',
          'The next start brings it up to date. Back it up before: skilldock backup, or mongodump.',
        ),
      );
    if (schema.isTooNew)
      return withoutFacts(
        fault(
          'store',
          'it was made by a newer version of Skilldock',
          'Install that version, or restore a backup of this one.',
        ),
      );
    return await readStoreToCheck(config);
  } catch (error) {
    return withoutFacts(toFaultFinding('store', error));
  }
}

const withoutFacts = (finding: Finding): StoreCheck => ({ findings: [finding], facts: null });

/** Reads an up-to-date store: opening another one would change it. */
async function readStoreToCheck(config: Config): Promise<StoreCheck> {
  const store = await openExistingStore(config);
  try {
    const { kind, location, version, bytes } = await store.describe();
    const size = bytes === null ? 'of unknown size' : `${(bytes / 1e6).toFixed(1)} MB`;
    const name = kind === 'sqlite' ? 'SQLite' : 'MongoDB';
    return {
      findings: [
        ok('store', `${name} ${version}, ${size}, ${location}`),
        await checkSecretKey(config, store),
        ...(await checkEndingKeys(store)),
        ...(await checkStoredRoles(config, store)),
      ],
      facts: await readStoreFacts(store),
    };
  } finally {
    await store.close();
  }
}

async function checkEndingKeys({ apiKeys }: Store): Promise<readonly Finding[]> {
  const ending = await describeEndingApiKeys(apiKeys, systemClock.now());
  if (ending.length === 0) return [];
  const advice = 'Replace them on the admin page (API keys); the old key works for another week at most.';
  return [warning('API keys', `they end soon: ${ending.join('; ')}`, advice)];
}

async function checkStoredRoles({ oidc }: Config, { tenants }: Store): Promise<readonly Finding[]> {
  if (oidc?.roles === undefined) return [];
  const missingTenants = await findUnknownRuleTenants(tenants, oidc.roles);
  const advice = 'Correct OIDC_ROLES, or create them: skilldock tenants list shows the ids.';
  return [
    missingTenants.length === 0
      ? ok('roles', `they follow from the claim ${oidc.roles.claim}`)
      : warning('roles', `OIDC_ROLES names tenants that do not exist: ${missingTenants.join(', ')}`, advice),
  ];
}

async function readStoreFacts({ admins, ltiRegistrations, secrets, audit }: Store): Promise<StoreFacts> {
  const list = { scope: null, search: '', page: 0, pageSize: 1 } as const;
  const period = { from: null, until: null };
  const [adminPage, registrations, slackApp, auditPage] = await Promise.all([
    admins.listAdmins({ ...list, sort: 'name', descending: false }),
    listEveryItem((page) =>
      ltiRegistrations.listRegistrations({ ...list, ...page, sort: 'createdAt', descending: false }),
    ),
    secrets.findSecret(DEFAULT_TENANT, 'slack-app'),
    audit.listAuditEntries({ ...list, action: null, period, ascending: false }),
  ]);
  return {
    admins: adminPage.total,
    registrations: registrations.filter(({ origin }) => origin !== 'demo').length,
    hasSlackApp: slackApp !== null,
    lastAuditedAt: auditPage.items[0]?.at ?? null,
  };
}

const KEY_CHECK = 'secret key';

async function checkSecretKey(config: Config, store: Store): Promise<Finding> {
  const isStored = (await store.secrets.listSecrets(null, 1)).length > 0;
  if (!isStored) return checkUnusedKey(config);
  if (!hasSecretKey(config))
    return fault(
      KEY_CHECK,
      'there is none, and the store holds secrets sealed under one',
      `Restore ${SECRET_FILE} in the data folder, or set SECRET_KEY to what was in it. ${WITHOUT_SECRETS}`,
    );
  try {
    const keyring = createKeyring(readSecretKeys(config));
    const secrets = createSecrets({ secrets: store.secrets, keyring, clock: systemClock });
    const stored: StoredSecret[] = [];
    for await (const secret of secrets.listStored()) stored.push(secret);
    return describeSecrets(stored);
  } catch (error) {
    return toFaultFinding(KEY_CHECK, error);
  }
}

/** Checks the key of a store without sealed secrets. */
function checkUnusedKey(config: Config): Finding {
  if (hasSecretKey(config)) return ok(KEY_CHECK, 'there is one; nothing is sealed under it yet');
  return config.secretKey === undefined && existsSync(findSecretFile(config))
    ? fault(KEY_CHECK, `${findSecretFile(config)} is empty`, `Restore the file, or set SECRET_KEY. ${WITHOUT_SECRETS}`)
    : ok(KEY_CHECK, 'there is none yet; the first start makes it');
}

function describeSecrets(stored: readonly StoredSecret[]): Finding {
  const inState = (state: StoredSecret['state']) => stored.filter((secret) => secret.state === state);
  const readable = inState('readable');
  const unreadable = inState('unreadable');
  const givenUp = inState('given-up');
  const opened = `it opens ${readable.length} secrets of the store`;
  if (unreadable.length > 0)
    return fault(
      KEY_CHECK,
      `${opened} and not ${unreadable.length} others (${nameLostSecrets(unreadable)})`,
      `Give the key they were sealed under as SECRET_KEY_PREVIOUS, and run skilldock secrets rotate; or enter them again on the admin page. ${WITHOUT_SECRETS}`,
    );
  return givenUp.length > 0
    ? warning(
        KEY_CHECK,
        `${opened}; ${givenUp.length} others were given up (${nameLostSecrets(givenUp)})`,
        'Enter them again on the admin page.',
      )
    : ok(KEY_CHECK, `it opens all ${readable.length} secrets of the store`);
}

/** Reads the keys. Opens the data folder only if the key is in it, as opening would create it. */
const readSecretKeys = (config: Config): SecretKeyList =>
  config.secretKey === undefined
    ? openSecretKeys(config, openDataDir(config.dataDir)).read()
    : [config.secretKey, ...config.previousSecretKeys];

const hasSecretKey = (config: Config) =>
  config.secretKey !== undefined ||
  (existsSync(findSecretFile(config)) && readFileSync(findSecretFile(config), 'utf8').trim() !== '');

const findSecretFile = ({ dataDir }: Config) => resolve(dataDir, SECRET_FILE);
