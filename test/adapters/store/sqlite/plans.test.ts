import type Database from 'libsql';
import { expect, test } from 'vitest';
import { createLeaseQueue } from '../../../../src/adapters/store/sqlite/lease-queue.ts';
import { createRecords } from '../../../../src/adapters/store/sqlite/records.ts';
import {
  createActivityRepository,
  createApiKeyRepository,
  createAuditRepository,
  createFeedbackRepository,
  createImportRepository,
  createLinkCheckRepository,
  createLtiRegistrationRepository,
  createNonceRepository,
  createObjectLayerRepository,
  createPeopleRepository,
  createPersonalRecordRepository,
  createScoreRepository,
  createSecretRepository,
  feedbackRecords,
  type ImportEntries,
  type OpenQueue,
  type OpenRecords,
} from '../../../../src/ports/store/store.ts';
import { at } from '../../../contract/store/records.ts';
import { newPath, openRaw, openStore } from './databases.ts';

/** The repositories over a database whose statements are written down. */
function openRecorded() {
  const path = newPath();
  openStore(path);
  const database = openRaw(path);
  const statements: string[] = [];
  const recording = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'prepare') statements.push(args[0] as string);
        return value.apply(target, args);
      };
    },
  });
  const open: OpenRecords = (description) => createRecords(recording, description);
  const openQueue: OpenQueue = (description, lane) => createLeaseQueue(database, description, lane);
  return {
    database,
    statements,
    activity: createActivityRepository(open),
    apiKeys: createApiKeyRepository(open),
    audit: createAuditRepository(open),
    feedback: createFeedbackRepository(open, openQueue),
    imports: createImportRepository(open, {} as ImportEntries),
    linkChecks: createLinkCheckRepository(open),
    ltiRegistrations: createLtiRegistrationRepository(open),
    nonces: createNonceRepository(open),
    objectLayers: createObjectLayerRepository(open),
    people: createPeopleRepository(open),
    personal: createPersonalRecordRepository(open, [feedbackRecords]),
    scores: createScoreRepository(open, openQueue),
    secrets: createSecretRepository(open),
  };
}

/** How SQLite would answer: `SEARCH api_keys USING INDEX …`. */
function explain(database: Database.Database, sql: string): string {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
  return steps.map(({ detail }) => detail).join('; ');
}

type Call = (repositories: ReturnType<typeof openRecorded>) => Promise<unknown>;

const page = { page: 0, pageSize: 10 };
const filter = { provider: null, received: { from: at(0), until: null }, search: '' };
const entries = { action: null, period: { from: null, until: null }, search: '' };
const after = { id: 'a', receivedAt: at(1) };

const calls: readonly (readonly [name: string, call: Call, plan: string])[] = [
  ['a key by its hash', (all) => all.apiKeys.findApiKeyByHash('a'), 'api_keys_by_key_hash'],
  ['the use of a key', (all) => all.apiKeys.noteApiKeyUse('a', at(1)), 'sqlite_autoindex_api_keys_1'],
  [
    'the newest feedback of a tenant',
    (all) => all.feedback.readFeedback({ ...filter, scope: ['lyon'], state: null }, after, 10),
    'feedback_by_tenant_id_received_at_desc_id (tenant_id=? AND received_at>? AND received_at<?)',
  ],
  [
    'parked feedback',
    (all) => all.feedback.requeueParked(null, at(1)),
    'feedback_by_state_received_at_id_tenant_id_not_delivered (state=?)',
  ],
  [
    'old feedback',
    (all) =>
      all.personal.removeOutdated('feedback', feedbackRecords.retention!, {
        before: at(1),
        where: { tenantId: 'lyon' },
        limit: 10,
      }),
    'feedback_by_tenant_id_received_at_desc_id (tenant_id=? AND received_at<?)',
  ],
  [
    'providers of feedback',
    (all) => all.feedback.listFeedbackProviders(['lyon']),
    'COVERING INDEX feedback_by_provider_tenant_id (provider=? AND tenant_id=?)',
  ],
  [
    'the audit trail of a tenant',
    (all) => all.audit.listAuditEntries({ ...entries, ...page, scope: ['lyon'], ascending: false }),
    'audit_by_tenant_id_at_desc_id (tenant_id=?)',
  ],
  [
    'entries of the audit trail after another one',
    (all) => all.audit.readAuditEntries({ ...entries, scope: null }, { at: at(1), id: 'a' }, 10),
    'audit_by_at_id (at>?)',
  ],
  ['imports that count', (all) => all.imports.listLive(), 'COVERING INDEX imports_by_number_dataset_id_live'],
  ['imports of a dataset', (all) => all.imports.listImportsOf('spring'), 'imports_by_dataset_number_desc (dataset=?)'],
  [
    'dead links',
    (all) => all.linkChecks.readLinkChecks({ state: 'dead', after: 'a', limit: 10 }),
    'link_checks_by_state_url (state=? AND url>?)',
  ],
  [
    'the version of dead links',
    (all) => all.linkChecks.deadLinksVersion(),
    'COVERING INDEX link_checks_by_state_since_url (state=?)',
  ],
  [
    'checks of some addresses',
    (all) => all.linkChecks.findLinkChecks(['a', 'b']),
    'sqlite_autoindex_link_checks_1 (url=?)',
  ],
  [
    'a platform by its client',
    (all) => all.ltiRegistrations.findRegistrationOfClient('a', 'b'),
    'lti_registrations_by_issuer_client_id (issuer=? AND client_id=?)',
  ],
  [
    'learners of a link',
    (all) => all.activity.listActivity('lyon', 'a', page),
    'activity_by_tenant_id_link_id_last_opened_at_desc_user_id (tenant_id=? AND link_id=?)',
  ],
  ['nonces with a prefix', (all) => all.nonces.removeNonces('a'), 'nonces_1 (nonce>? AND nonce<?)'],
  [
    'changes of objects after an address',
    (all) => all.objectLayers.readObjectChanges('lyon', 'a', 10),
    'object_changes_1 (tenant_id=? AND address>?)',
  ],
  [
    'versions of layers',
    (all) => all.objectLayers.readObjectLayerVersions(['lyon', '*']),
    'COVERING INDEX object_changes_by_tenant_id_version_changed_at (tenant_id=?)',
  ],
  [
    'people of a shelf',
    (all) => all.people.listPeopleOfShelf('lyon', 'slack:T1:U1', 10),
    'people_by_tenant_id_shelf_person_person (tenant_id=? AND shelf_person=?)',
  ],
  [
    'people with a prefix',
    (all) => all.people.removePeople('lyon', 'slack:T1:'),
    'people_1 (tenant_id=? AND person>? AND person<?)',
  ],
  [
    'scores that did not arrive',
    (all) => all.scores.countUnsentScores('lyon', 'moodle'),
    'COVERING INDEX scores_by_tenant_id_registration_id_state_not_delivered (tenant_id=? AND registration_id=? AND state=?)',
  ],
  ['secrets after another one', (all) => all.secrets.listSecrets({ tenantId: 'a', name: 'b' }, 10), 'PRIMARY KEY'],
];

test.each(calls)('%s: found in an index, and in its order', async (_name, call, plan) => {
  const repositories = openRecorded();
  repositories.statements.length = 0;
  await call(repositories);
  const plans = repositories.statements.map((sql) => explain(repositories.database, sql));
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.join('; ')).toContain(plan);
  // Nothing is read from end to end but an index of nothing else, nor sorted afterwards.
  for (const each of plans) {
    expect(each).not.toMatch(/SCAN (?!json_each|every|imports USING COVERING)/);
    expect(each).not.toContain('TEMP B-TREE');
  }
});
