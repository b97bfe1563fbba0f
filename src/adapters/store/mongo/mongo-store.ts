import type { SchemaState, Store, StoreDescription } from '../../../ports/store/store.ts';
import { type OpenedConnection, openConnection } from './connection.ts';
import { createMongoError, explainFailures } from './failures.ts';
import { migrate, readSchemaState } from './migrations.ts';
import { removeTenant } from './remove-tenant.ts';
import { createActivityRepository } from './repositories/activity.ts';
import {
  createAdminLinkRepository,
  createAdminRepository,
  createAdminSessionRepository,
} from './repositories/admins.ts';
import { createApiKeyRepository } from './repositories/api-keys.ts';
import { createAssistantRepository } from './repositories/assistants.ts';
import { createAuditRepository } from './repositories/audit.ts';
import { createFeedbackRepository } from './repositories/feedback.ts';
import { createFileRepository } from './repositories/files.ts';
import { createImportRepository } from './repositories/imports.ts';
import { createInsightRepository } from './repositories/insight.ts';
import { createLinkCheckRepository } from './repositories/link-checks.ts';
import { createLinkMendRepository } from './repositories/link-mends.ts';
import { createLtiRegistrationRepository } from './repositories/lti-registrations.ts';
import { createObjectLayerRepository } from './repositories/object-layers.ts';
import { createPeopleRepository } from './repositories/people.ts';
import { createPlacementRepository } from './repositories/placements.ts';
import { createScoreRepository } from './repositories/scores.ts';
import { createSecretRepository } from './repositories/secrets.ts';
import { createShelfRepository } from './repositories/shelf.ts';
import {
  createAnswerRepository,
  createNonceRepository,
  createRateCounterRepository,
} from './repositories/short-lived.ts';
import { createSlackInstallationRepository } from './repositories/slack-installations.ts';
import { createTenantRepository } from './repositories/tenants.ts';
import { createUsageRepository } from './repositories/usage.ts';
import { createStoreTransfer } from './transfer.ts';

/** The store for several hosts: one MongoDB database, 4.4 or newer, a single server or a replica set. Changes of several
 *  documents are made in an order that can be repeated, so nothing needs a transaction.
 *  Errors: STORE_UNAVAILABLE when the server cannot be reached; every call of the store may reject with it. */
export async function createMongoStore(uri: string): Promise<Store> {
  const opened = await openConnection(uri);
  const { connection, location } = opened;
  try {
    return assembleStore(opened, await migrate(connection));
  } catch (cause) {
    await connection.close();
    throw createMongoError(location, cause);
  }
}

/** How far the database is, without changing anything. Errors: STORE_UNAVAILABLE. */
export async function readMongoStoreSchema(uri: string): Promise<SchemaState> {
  const { connection, location } = await openConnection(uri);
  try {
    return await readSchemaState(connection);
  } catch (cause) {
    throw createMongoError(location, cause);
  } finally {
    await connection.close();
  }
}

function assembleStore({ connection, db, location }: OpenedConnection, migrations: number): Store {
  const explained = <T extends object>(repository: T) => explainFailures(repository, location);
  return {
    tenants: explained({
      ...createTenantRepository(connection),
      removeTenant: (id: string) => removeTenant(connection, id),
    }),
    secrets: explained(createSecretRepository(connection)),
    apiKeys: explained(createApiKeyRepository(connection)),
    feedback: explained(createFeedbackRepository(connection)),
    audit: explained(createAuditRepository(connection)),
    admins: explained(createAdminRepository(connection)),
    adminLinks: explained(createAdminLinkRepository(connection)),
    adminSessions: explained(createAdminSessionRepository(connection)),
    usage: explained(createUsageRepository(connection)),
    insight: explained(createInsightRepository(connection)),
    rateCounters: explained(createRateCounterRepository(connection)),
    nonces: explained(createNonceRepository(connection)),
    answers: explained(createAnswerRepository(connection)),
    shelf: explained(createShelfRepository(connection)),
    ltiRegistrations: explained(createLtiRegistrationRepository(connection)),
    placements: explained(createPlacementRepository(connection)),
    activity: explained(createActivityRepository(connection)),
    scores: explained(createScoreRepository(connection)),
    slackInstallations: explained(createSlackInstallationRepository(connection)),
    people: explained(createPeopleRepository(connection)),
    imports: explained(createImportRepository(connection)),
    linkChecks: explained(createLinkCheckRepository(connection)),
    linkMends: explained(createLinkMendRepository(connection)),
    objectLayers: explained(createObjectLayerRepository(connection)),
    assistants: explained(createAssistantRepository(connection)),
    files: explained(createFileRepository(connection)),
    transfer: explained(createStoreTransfer(connection)),
    ...explained({
      describe: async () => ({ ...(await describeServer(db)), location, migrations }),
      async check() {
        await db.admin().ping();
      },
    }),
    close: () => connection.close(),
  };
}

type Told = Pick<StoreDescription, 'kind' | 'version' | 'bytes'>;

async function describeServer(db: OpenedConnection['db']): Promise<Told> {
  const [{ version }, { dataSize }] = await Promise.all([db.admin().buildInfo(), db.stats()]);
  return { kind: 'mongo', version, bytes: typeof dataSize === 'number' ? dataSize : null };
}
