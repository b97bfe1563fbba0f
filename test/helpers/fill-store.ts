import type { LearningObject } from '../../src/domain/learning-object.ts';
import { type FeedbackSettings, initialDefaults, initialFeedbackSettings } from '../../src/domain/tenant.ts';
import type { FeedbackRecord, Store, StoreCollection } from '../../src/ports/store/store.ts';
import { assistantClient, assistantGrant } from '../contract/store/assistants.ts';
import { harvestRecord } from '../contract/store/harvest.ts';
import { bodiless, importEntry, importRecord } from '../contract/store/import-records.ts';
import { insightOf } from '../contract/store/insight.ts';
import { deadLink, linkCheck, linkMend, unsureLink } from '../contract/store/link-check-records.ts';
import { objectChange } from '../contract/store/object-layers.ts';
import { plan } from '../contract/store/plans.ts';
import { FILLED_LTI, fillLti } from './fill-lti.ts';
import { FILLED_SLACK, fillSlack } from './fill-slack.ts';

/** How many records `fillStore` makes; more feedback than a copy moves at once. */
export const FILLED: Readonly<Record<StoreCollection, number>> = {
  tenants: 3,
  secrets: 3,
  apiKeys: 3,
  feedback: 1_000,
  audit: 20,
  admins: 2,
  adminLinks: 2,
  adminSessions: 2,
  usage: 6,
  shelf: 6,
  ltiRegistrations: 3 * FILLED_LTI.ltiRegistrations,
  ltiDeployments: 3 * FILLED_LTI.ltiDeployments,
  placements: 3 * FILLED_LTI.placements,
  ltiLinks: 3 * FILLED_LTI.ltiLinks,
  activity: 3 * FILLED_LTI.activity,
  scores: 3 * FILLED_LTI.scores,
  slackInstallations: 3 * FILLED_SLACK.slackInstallations,
  people: 3 * FILLED_SLACK.people,
  imports: 2,
  importEntries: 3,
  linkChecks: 3,
  linkMends: 1,
  objectChanges: 2,
  insight: 3,
  assistantClients: 1,
  assistantGrants: 3,
  harvest: 2,
  plans: 3,
};

const at = new Date('2026-02-28T12:34:56.789Z');
const later = new Date('2027-02-28T12:34:56.789Z');

/** Something of everything, with the oddities that records can have. */
export async function fillStore(store: Store): Promise<void> {
  for (let i = 0; i < FILLED.tenants; i++) await addTenantWithKeys(store, `tenant-${i}`, i);
  const feedback = Array.from({ length: FILLED.feedback }, (_, i) => feedbackRecord(`tenant-${i % 3}`, `${i}`));
  // All at once: each alone would wait for the disk.
  await store.transfer.writeRecords(
    'feedback',
    feedback.map((record) => ({ key: record.id, record: { ...record } })),
  );
  for (let i = 0; i < FILLED.audit; i++) await addAudit(store, `${i}`, i % 2 === 0);
  for (let i = 0; i < FILLED.admins; i++) await addAdmin(store, `admin-${i}`);
  for (let i = 0; i < FILLED.plans; i++) await store.plans.savePlan(plan(`plan ${i}`, { tenantId: `tenant-${i}` }));
  await store.harvest.saveHarvest([harvestRecord('é'), harvestRecord('b', { isDeleted: true })]);
  await store.assistants.addAssistantClient(assistantClient('é 🐍'));
  for (let i = 0; i < FILLED.assistantGrants; i++)
    await store.assistants.addAssistantGrant(
      assistantGrant(`grant-${i}`, { tenantId: `tenant-${i}`, adminId: 'admin-0' }),
    );
  await addImports(store);
  await store.linkChecks.saveLinkChecks([
    linkCheck('https://a.example/é'),
    deadLink('https://a.example/🐍'),
    unsureLink('https://b.example/'),
  ]);
  await store.linkMends.addLinkMend(linkMend('a', { tenantId: 'tenant-0', madeBy: 'Ève 🐍' }));
  for (const tenantId of ['*', 'tenant-0'])
    await store.objectLayers.saveObjectChange(objectChange('a.example/é', { tenantId, changedBy: 'Ève 🐍' }));
}

async function addImports({ imports }: Store): Promise<void> {
  const second = { state: 'stopped', dataset: 'école', position: 'é 🐍', total: null } as const;
  for (const { number: _, ...record } of [importRecord('a'), importRecord('b', second)])
    await imports.addImport(record);
  await imports.putEntries([
    importEntry('https://a.example/é b?a=1', { part: 'labels:fr' }),
    bodiless('https://a.example/é b?a=1', { importNumber: 2, part: 'labels:fr' }),
    importEntry('esco:skill.1', { kind: 'concept', dataset: 'école', importNumber: 2 }),
  ]);
}

async function addTenantWithKeys(store: Store, id: string, number: number): Promise<void> {
  const upstream =
    number === 0
      ? ({ kind: 'local' } as const)
      : ({ kind: 'gateway', url: 'https://a.example', marketplaceUrl: 'https://b.example' } as const);
  await store.tenants.addTenant({
    id,
    name: `École ${number} “日本” 🎓`,
    status: number === 2 ? 'disabled' : 'active',
    upstream,
    defaults: { ...initialDefaults, providers: ['edx', 'youtube'], lang: number === 1 ? 'fr' : null },
    branding: { title: null, accent: '#aabbcc' },
    feedback: number === 0 ? initialFeedbackSettings : ownFeedback,
    suggestions: number === 1 ? 'at-once' : 'approval',
    requiresSecondFactor: false,
    hasAssistants: number !== 1,
    createdAt: at,
    updatedAt: at,
    version: 1,
  });
  await addToShelves(store, id);
  await fillLti(store, id);
  await fillSlack(store, id);
  await store.secrets.putSecret({
    tenantId: id,
    name: 'upstream-api-key',
    boundTo: 'https://api.example.org',
    sealed: `v1.00000000.${id}`,
    lastFour: number === 0 ? null : 'abcd',
    updatedAt: at,
  });
  await store.apiKeys.addApiKey({
    id: `key of ${id}`,
    tenantId: id,
    name: `Key ${number}`,
    keyHash: id.padEnd(64, '0'),
    scopes: ['competency', 'feedback'],
    perSecond: 1,
    perDay: 1_000_000,
    createdAt: at,
    expiresAt: number === 0 ? null : later,
    revokedAt: number === 1 ? at : null,
    replacedAt: null,
    lastUsedAt: null,
  });
  await store.insight.addInsight([insightOf('école 🐍', { tenantId: id, asked: number })], 10);
  await store.usage.addUsage([
    { tenantId: id, day: '2026-02-28', metric: 'searches', count: number + 1 },
    { tenantId: id, day: '2026-03-01', metric: 'zero-result-searches', count: 1 },
  ]);
}

const ownFeedback: FeedbackSettings = {
  sharedEmail: 'library@example.org',
  sharedEmailFor: 'everyone',
  retentionDays: 365,
};

async function addToShelves(store: Store, tenantId: string): Promise<void> {
  for (const [person, requestId] of [
    ['slack:T1:U1', null],
    ['lti:Ève of “日本”', 'r'],
  ] as const) {
    const object: LearningObject = {
      title: `École de ${person}`,
      url: 'https://example.org/é?a=1 2',
      bloom: ['Apply'],
      type: [],
      publisher: [],
      author: ['Ève'],
      learningTime: { value: 1.5, unit: 'h' },
      price: { free: true },
    };
    const record = { tenantId, person, address: 'example.org/é?a=1 2', object, requestId, savedAt: at };
    await store.shelf.addToShelf(record, 10);
  }
}

function feedbackRecord(tenantId: string, id: string): FeedbackRecord {
  return {
    id,
    tenantId,
    url: `https://example.org/${id}`,
    comment: id.endsWith('3') ? null : `Très bien\n${id}`,
    requestId: 'r',
    email: 'ada@example.org',
    source: 'https://school.example.org',
    provider: id.endsWith('5') ? 'edx' : null,
    receivedAt: at,
    state: id.endsWith('7') ? 'waiting' : 'delivered',
    attempts: 1,
    failures: 1,
    dueAt: later,
    leasedUntil: id.endsWith('17') ? later : null,
    lastError: id.endsWith('7') ? 'unreachable' : null,
    destination: id.endsWith('7') ? 'https://b.example' : null,
    giverHash: id.endsWith('9') ? 'hash' : null,
  };
}

async function addAudit(store: Store, id: string, isOfHost: boolean): Promise<void> {
  await store.audit.addAuditEntry({
    id,
    at,
    actor: { kind: 'admin', id: 'ada', name: 'Ada', address: isOfHost ? null : '192.0.2.1' },
    tenantId: isOfHost ? null : 'tenant-0',
    action: 'tenant.changed',
    target: 'École',
    details: isOfHost ? {} : { name: 'a → b', 'defaults.lang': 'none → fr' },
  });
}

async function addAdmin(store: Store, id: string): Promise<void> {
  const isOwner = id.endsWith('0');
  await store.admins.addAdmin({
    id,
    name: `Name of ${id}`,
    passwordHash: isOwner ? '$argon2id$…' : null,
    secondFactor: null,
    roleClaim: null,
    oidcSubject: isOwner ? null : `https://issuer.example ${id}`,
    role: isOwner ? 'owner' : 'manager',
    tenants: isOwner ? null : ['tenant-0', 'tenant-1'],
    createdAt: at,
    lastSignInAt: isOwner ? at : null,
    sessionsValidFrom: at,
    version: 3,
  });
  await store.adminLinks.addAdminLink({
    id: `link of ${id}`,
    kind: isOwner ? 'reset' : 'invitation',
    adminId: isOwner ? id : null,
    role: 'viewer',
    tenants: isOwner ? null : [],
    createdBy: 'Ada',
    createdById: isOwner ? null : 'ada',
    createdAt: at,
    expiresAt: later,
  });
  await store.adminSessions.addAdminSession({
    id: `session of ${id}`,
    adminId: id,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: later,
    address: isOwner ? '2001:db8::1' : null,
    userAgent: null,
  });
}
