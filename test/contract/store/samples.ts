import type { Preferences } from '../../../src/domain/person.ts';
import { toRecordKey } from '../../../src/domain/record-key.ts';
import type {
  ActivityKey,
  ActivityRecord,
  ShortLivedCollection,
  Store,
  StoreCollection,
  UsageCount,
} from '../../../src/ports/store/store.ts';
import { assistantClient, assistantGrant } from './assistants.ts';
import { harvestRecord } from './harvest.ts';
import { bodiless, importEntry, importRecord, taxonomyReport } from './import-records.ts';
import { insightOf } from './insight.ts';
import { deadLink, linkCheck, linkMend, unsureLink } from './link-check-records.ts';
import { activityOf, deployment, link, placement, registration, score } from './lti-records.ts';
import { objectChange } from './object-layers.ts';
import { plan } from './plans.ts';
import {
  admin,
  adminLink,
  adminSession,
  apiKey,
  at,
  auditEntry,
  awkwardText,
  feedback,
  secret,
  shelved,
  tenant,
} from './records.ts';
import { installation, person } from './slack-records.ts';

const usage = (tenantId: string, day: string): UsageCount => ({
  tenantId,
  day,
  metric: 'searches',
  count: 3,
});

function activity(changes: ActivityKey & Partial<ActivityRecord>): ActivityRecord {
  const noted = { firstOpenedAt: at(1), lastOpenedAt: at(1), completedAt: null };
  return { ...noted, verdict: null, verdictPlacementId: null, ...changes };
}

const chosen: Preferences = {
  locale: 'en',
  lang: 'fr',
  level: 'advanced',
  types: ['video'],
  providers: ['openlearn', 'edx'],
  itemsPerPage: 5,
};

/** Records of every collection, in the order of their keys. */
export const samples = {
  tenants: [tenant('lyon', { name: awkwardText }), tenant('lyon-2'), tenant('paris')],
  secrets: [secret('lyon', 'b'), secret('lyon-2', 'a', { lastFour: null }), secret('paris', 'a')],
  apiKeys: [
    apiKey('a'),
    apiKey('b', { expiresAt: null, name: awkwardText }),
    apiKey('c', { revokedAt: at(5), lastUsedAt: at(4) }),
  ],
  feedback: [feedback('a', { comment: awkwardText }), feedback('b', { comment: null }), feedback('c')],
  audit: [auditEntry('a', { tenantId: null }), auditEntry('b', { details: {} }), auditEntry('c')],
  admins: [
    admin('ada', { name: 'Ève', secondFactor: { usedStep: 58_000_000, codes: ['aa', 'bb'] } }),
    admin('bob', { tenants: null }),
    admin('cy', { tenants: [] }),
  ],
  adminLinks: [
    adminLink('a'),
    adminLink('b', { tenants: null, createdById: null }),
    adminLink('c', { adminId: 'ada' }),
  ],
  adminSessions: [adminSession('a'), adminSession('b', { address: null }), adminSession('c')],
  usage: [usage('lyon', '2026-03-01'), usage('lyon', '2026-03-02'), usage('lyon-2', '2026-01-01')],
  shelf: [
    shelved('b', { person: 'a', savedAt: at(2) }),
    shelved(awkwardText, { person: 'a b', requestId: null }),
    shelved('a', { tenantId: 'lyon-2', person: awkwardText }),
  ],
  ltiRegistrations: [
    registration('a', { name: awkwardText, tokenAudience: 'https://moodle.example.org' }),
    registration('b', { acceptsNewDeployments: false, status: 'inactive' }),
    registration('c', { issuer: awkwardText, publicKey: {} }),
  ],
  ltiDeployments: [
    deployment('a', '1'),
    deployment('a', awkwardText),
    deployment('b', '1', { tenantId: 'lyon-2', firstSeenAt: at(3) }),
  ],
  placements: [
    placement('a', { title: awkwardText, points: null }),
    placement('b', { contextId: null, requestId: null, completion: 'viewed' }),
    placement('c', { tenantId: 'lyon-2' }),
  ],
  ltiLinks: [link('a', { resourceLinkId: awkwardText }), link('b', { contextId: null }), link('c')],
  activity: [
    activity({ ...activityOf(awkwardText, { linkId: 'a' }), verdict: 'not-useful', verdictPlacementId: 'a' }),
    activity({ ...activityOf('b', { linkId: 'a' }), completedAt: at(2) }),
    activity(activityOf('a', { tenantId: 'lyon-2', linkId: 'a' })),
  ],
  scores: [
    score('a', { userId: awkwardText, lastError: awkwardText }),
    score('b', { state: 'delivered', attempts: 2, failures: 1 }),
    score('c', { leasedUntil: at(5) }),
  ],
  slackInstallations: [
    installation('E1', { kind: 'organisation', enterpriseId: 'E1', scopes: [] }),
    installation('T1', { name: awkwardText, enterpriseId: 'E1' }),
    installation('T2', { tenantId: 'lyon-2', installedAt: at(3) }),
  ],
  people: [
    person(awkwardText, { recentSearches: [{ text: awkwardText, searchedAt: at(4) }] }),
    person('slack:T1:U1', { shelfPerson: awkwardText, preferences: chosen }),
    person('a', { tenantId: 'lyon-2' }),
  ],
  imports: [
    importRecord('a', { title: awkwardText, rejected: [] }),
    importRecord('b', { number: 2, state: 'running', endedAt: null, position: awkwardText, report: taxonomyReport }),
    importRecord('c', { number: 3, dataset: 'autumn', total: null, fingerprint: null, isUndoable: false }),
  ],
  importEntries: [
    importEntry(awkwardText, { dataset: 'autumn', part: awkwardText, importNumber: 3 }),
    importEntry('a'),
    bodiless('a', { importNumber: 10 }),
  ],
  linkChecks: [
    deadLink(awkwardText, { since: at(-9) }),
    linkCheck('https://a.example/1'),
    unsureLink('https://a.example/2', { failures: 3 }),
  ],
  linkMends: [
    linkMend('a', { madeBy: awkwardText }),
    linkMend('b', { kind: 'leave', object: null, changes: [] }),
    linkMend('c', { tenantId: 'lyon-2', undoneAt: at(9), reason: null }),
  ],
  objectChanges: [
    objectChange(awkwardText, { tenantId: '*' }),
    objectChange('a.example/1', { changedBy: awkwardText }),
    objectChange('a.example/1', { tenantId: 'lyon-2', suggestedBy: 'Ève' }),
  ],
  insight: [
    insightOf('https://a.example', { kind: 'object', opened: 2, placed: 1 }),
    insightOf(awkwardText, { asked: 3, unopened: -1, title: awkwardText }),
    insightOf('a b', { tenantId: 'lyon-2', day: '2026-01-01' }),
  ],
  assistantClients: [
    assistantClient('a', { name: awkwardText, lastUsedAt: at(3) }),
    assistantClient('b', { redirectUris: [] }),
    assistantClient('c'),
  ],
  assistantGrants: [
    assistantGrant('a', { clientName: awkwardText, familyHash: 'family of a' }),
    assistantGrant('b', { adminId: 'bob', lastUsedAt: at(4) }),
    assistantGrant('c', { tenantId: 'lyon-2' }),
  ],
  harvest: [
    harvestRecord('', { hash: 'version' }),
    harvestRecord('a', { url: awkwardText }),
    harvestRecord('b', { isDeleted: true }),
  ],
  plans: [
    plan('a', { person: awkwardText }),
    plan('b', { shareToken: 'token', version: 1 }),
    plan('c', { tenantId: 'lyon-2', sections: [], expectedHours: null, lang: null }),
  ],
} as const;

/** The keys under which the samples are copied. */
export const sampleKeys: Readonly<Record<StoreCollection, readonly string[]>> = {
  tenants: ['lyon', 'lyon-2', 'paris'],
  secrets: ['lyon b', 'lyon-2 a', 'paris a'],
  apiKeys: ['a', 'b', 'c'],
  feedback: ['a', 'b', 'c'],
  audit: ['a', 'b', 'c'],
  admins: ['ada', 'bob', 'cy'],
  adminLinks: ['a', 'b', 'c'],
  adminSessions: ['a', 'b', 'c'],
  usage: ['lyon 2026-03-01 searches', 'lyon 2026-03-02 searches', 'lyon-2 2026-01-01 searches'],
  shelf: ['lyon a b', `lyon a!Pb ${awkwardText}`, toRecordKey(['lyon-2', awkwardText, 'a'])],
  ltiRegistrations: ['a', 'b', 'c'],
  ltiDeployments: ['a 1', `a ${awkwardText}`, 'b 1'],
  placements: ['a', 'b', 'c'],
  ltiLinks: ['a', 'b', 'c'],
  activity: [`lyon a ${awkwardText}`, 'lyon a b', 'lyon-2 a a'],
  scores: ['a', 'b', 'c'],
  slackInstallations: ['E1', 'T1', 'T2'],
  people: [`lyon ${awkwardText}`, 'lyon slack:T1:U1', 'lyon-2 a'],
  imports: ['a', 'b', 'c'],
  importEntries: [
    toRecordKey(['autumn', '1', awkwardText, awkwardText, '000000003']),
    'spring 1 a  000000001',
    'spring 1 a  000000010',
  ],
  linkChecks: [awkwardText, 'https://a.example/1', 'https://a.example/2'],
  linkMends: ['a', 'b', 'c'],
  objectChanges: [`* ${awkwardText}`, 'lyon a.example/1', 'lyon-2 a.example/1'],
  insight: [
    'lyon 2026-03-01 object https://a.example',
    `lyon 2026-03-01 search ${awkwardText}`,
    'lyon-2 2026-01-01 search a b',
  ],
  assistantClients: ['a', 'b', 'c'],
  assistantGrants: ['a', 'b', 'c'],
  harvest: ['', 'a', 'b'],
  plans: ['a', 'b', 'c'],
};

/** Adds all of them through their repositories. */
/** Adds one record of each kind that is not copied; what belongs to a tenant is of this one. */
export async function addShortLivedSamples(store: Store, tenantId: string): Promise<void> {
  for (const add of Object.values(shortLivedSamples)) await add(store, tenantId);
}

export const shortLivedSamples: Readonly<
  Record<ShortLivedCollection, (store: Store, tenantId: string) => Promise<unknown>>
> = {
  rateWindows: ({ rateCounters }) => rateCounters.addRatePoints('a', 5, { now: at(0), expiresAt: at(90) }),
  nonces: ({ nonces }) => nonces.addNonce('a', 'b', at(90)),
  answers: ({ answers }) => answers.keepAnswer('a', { text: '[]', answeredAt: at(0), expiresAt: at(90) }),
  insightWaiting: ({ insight }, tenantId) =>
    insight.addPendingSearch(
      { tenantId, mark: `mark of ${tenantId}`, person: 'a', asked: 1, poor: 0, empty: 0, unopened: 0 },
      { people: 5, maxPending: 10, now: at(0), expiresAt: at(90) },
    ),
  files: ({ files }) => files.addFile({ id: 'a', name: 'a', addedAt: at(0), about: '', whole: null }),
  fileParts: ({ files }) => files.putFilePart('a', 0, new Uint8Array([1])),
};

export async function addSamples(store: Store): Promise<void> {
  for (const record of samples.tenants) await store.tenants.addTenant(record);
  for (const record of samples.secrets) await store.secrets.putSecret(record);
  for (const record of samples.apiKeys) await store.apiKeys.addApiKey(record);
  for (const record of samples.feedback) await store.feedback.saveFeedback(record);
  for (const record of samples.audit) await store.audit.addAuditEntry(record);
  for (const record of samples.admins) await store.admins.addAdmin(record);
  for (const record of samples.adminLinks) await store.adminLinks.addAdminLink(record);
  for (const record of samples.adminSessions) await store.adminSessions.addAdminSession(record);
  await store.usage.addUsage(samples.usage);
  for (const record of samples.shelf) await store.shelf.addToShelf(record, 10);
  await addLtiSamples(store);
  for (const record of samples.slackInstallations) await store.slackInstallations.putInstallation(record);
  for (const record of samples.people) await store.people.savePerson(record);
  for (const { number: _, ...record } of samples.imports) await store.imports.addImport(record);
  await store.imports.putEntries(samples.importEntries);
  await store.linkChecks.saveLinkChecks(samples.linkChecks);
  for (const record of samples.linkMends) await store.linkMends.addLinkMend(record);
  for (const record of samples.objectChanges) await store.objectLayers.saveObjectChange(record);
  await store.insight.addInsight(samples.insight, 10);
  for (const record of samples.assistantClients) await store.assistants.addAssistantClient(record);
  for (const record of samples.assistantGrants) await store.assistants.addAssistantGrant(record);
  await store.harvest.saveHarvest(samples.harvest);
  for (const record of samples.plans) await store.plans.savePlan(record);
}

async function addLtiSamples({ ltiRegistrations, placements, activity, scores }: Store): Promise<void> {
  for (const record of samples.ltiRegistrations) await ltiRegistrations.addRegistration(record);
  for (const record of samples.ltiDeployments) await ltiRegistrations.addDeployment(record);
  await placements.addPlacements(samples.placements);
  for (const record of samples.ltiLinks) await placements.openLink(record);
  for (const record of samples.activity) {
    await activity.noteOpened(record, record.firstOpenedAt);
    if (record.completedAt !== null) await activity.noteCompleted(record, record.completedAt);
    if (record.verdict !== null) await activity.noteVerdict(record, record.verdict, record.verdictPlacementId!);
  }
  for (const record of samples.scores) await scores.putScore(record);
}
