import type Database from 'libsql';
import type { Store, StoreDescription } from '../../../ports/store/store.ts';
import {
  createDatabaseTidy,
  createDatabaseUnavailableError,
  explainDatabaseFailures,
  openDatabase,
  readDatabaseVersion,
} from './database.ts';
import { migrate } from './migrations/migrations.ts';
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

/** The embedded store: one SQLite file with a write-ahead log, so that a command beside the running host can use it too.
 *  Errors: STORE_UNAVAILABLE when the file cannot be opened; every call of the store may reject with it. */
export function createSqliteStore(path: string): Store {
  const { database, counters } = open(path);
  const explained = <T extends object>(repository: T) => explainDatabaseFailures(repository, database, path);
  const tidy = createDatabaseTidy(counters);
  return {
    tenants: explained(createTenantRepository(database)),
    secrets: explained(createSecretRepository(database)),
    apiKeys: explained(createApiKeyRepository(database)),
    feedback: explained(createFeedbackRepository(database)),
    audit: explained(createAuditRepository(database)),
    admins: explained(createAdminRepository(database)),
    adminLinks: explained(createAdminLinkRepository(database)),
    adminSessions: explained(createAdminSessionRepository(database, tidy)),
    usage: explained(createUsageRepository(counters)),
    insight: explained(createInsightRepository(counters)),
    rateCounters: explained(createRateCounterRepository(counters, tidy)),
    nonces: explained(createNonceRepository(counters, tidy)),
    answers: explained(createAnswerRepository(counters, tidy)),
    shelf: explained(createShelfRepository(database)),
    ltiRegistrations: explained(createLtiRegistrationRepository(database)),
    placements: explained(createPlacementRepository(database)),
    activity: explained(createActivityRepository(database)),
    scores: explained(createScoreRepository(database)),
    slackInstallations: explained(createSlackInstallationRepository(database)),
    people: explained(createPeopleRepository(database)),
    imports: explained(createImportRepository(counters)),
    linkChecks: explained(createLinkCheckRepository(database)),
    linkMends: explained(createLinkMendRepository(database)),
    objectLayers: explained(createObjectLayerRepository(database)),
    assistants: explained(createAssistantRepository(database)),
    files: explained(createFileRepository(counters)),
    transfer: explained(createStoreTransfer(database)),
    ...explained({
      describe: async () => describe(database, path),
      async check() {
        database.prepare('SELECT 1').get();
      },
    }),
    close: async () => close(database, counters),
  };
}

interface Connections {
  readonly database: Database.Database;
  /** For data that changes with every request or every second, lives for hours at most, and may be lost with the machine: waiting
   *  for the disk each time would cost more than the request. It reaches it with the next write of the other connection. Imports
   *  too: one that the machine cuts off goes on from an earlier place, and its end is in the audit trail, which waits. */
  readonly counters: Database.Database;
}

function open(path: string): Connections {
  let database: Database.Database | undefined;
  try {
    database = openDatabase(path);
    migrate(database);
    return { database, counters: openDatabase(path, { synchronous: 'NORMAL' }) };
  } catch (cause) {
    // Before it is closed, which may make room.
    const error = createDatabaseUnavailableError(path, cause);
    database?.close();
    throw error;
  }
}

function describe(database: Database.Database, path: string): StoreDescription {
  const row = database
    .prepare(
      `SELECT sqlite_version() AS version, page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    )
    .get() as { version: string; bytes: number };
  return {
    kind: 'sqlite',
    location: path,
    version: row.version,
    migrations: readDatabaseVersion(database),
    bytes: row.bytes,
  };
}

/** The log is written back first: libsql keeps a closed file open until its statements are collected, so SQLite would leave the
 *  log beside the file, and a copy of the file alone would miss its content. Where that fails, as on a full disk, the log stays,
 *  and nothing is lost. */
function close(database: Database.Database, counters: Database.Database): void {
  if (!database.open) return;
  counters.close();
  try {
    // Not waited for: while another process reads, the log stays as well.
    database.pragma('busy_timeout = 0');
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // The next one who opens it tries again.
  } finally {
    database.close();
  }
}
