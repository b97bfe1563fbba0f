import { refuseLostStore } from '#compose/open-data';
import { findStoreSchemaState, openExistingStore } from '#compose/open-store';
import type { Config } from '#config';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { Store } from '#ports/store/store';
import { readPages } from '../with-services.ts';
import { checkKey, checkUnusedKey } from './check-key.ts';
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
    refuseLostStore(config);
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
    if (schema.isTooNew)
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
