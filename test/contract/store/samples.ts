import { recordKey } from '../../../src/domain/record-key.ts';
import type { Store, StoreCollection, UsageCount } from '../../../src/ports/store.ts';
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

const usage = (tenantId: string, day: string): UsageCount => ({
  tenantId,
  day,
  metric: 'searches',
  count: 3,
});

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
  admins: [admin('ada', { name: 'Ève' }), admin('bob', { tenants: null }), admin('cy', { tenants: [] })],
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
  shelf: ['lyon a b', `lyon a!Pb ${awkwardText}`, recordKey(['lyon-2', awkwardText, 'a'])],
};

/** Adds all of them through their repositories. */
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
}
