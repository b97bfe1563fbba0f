import { describe, expect, test } from 'vitest';
import { type Store, type StoreCollection, storeCollections } from '../../../src/ports/store/store.ts';
import { assistantGrant } from './assistants.ts';
import { insightOf } from './insight.ts';
import { linkMend } from './link-check-records.ts';
import { activityOf, deployment, link, placement, registration, score } from './lti-records.ts';
import { objectChange } from './object-layers.ts';
import type { OpenStore } from './opened-store.ts';
import { plan } from './plans.ts';
import { admin, adminLink, apiKey, at, auditEntry, feedback, secret, shelved, tenant } from './records.ts';
import { installation, person } from './slack-records.ts';

async function addAllOf(store: Store, tenantId: string): Promise<void> {
  await store.tenants.addTenant(tenant(tenantId));
  await store.secrets.putSecret(secret(tenantId, 'upstream-api-key'));
  await store.apiKeys.addApiKey(apiKey(`key-${tenantId}`, { tenantId }));
  await store.feedback.saveFeedback(feedback(`feedback-${tenantId}`, { tenantId }));
  await store.audit.addAuditEntry(auditEntry(`entry-${tenantId}`, { tenantId }));
  await store.usage.addUsage([{ tenantId, day: '2026-03-01', metric: 'searches', count: 1 }]);
  await store.insight.addInsight([insightOf('python', { tenantId })], 10);
  await store.shelf.addToShelf(shelved('example.org', { tenantId }), 10);
  await store.plans.savePlan(plan(`plan-${tenantId}`, { tenantId }));
  await addLtiOf(store, tenantId);
  await store.linkMends.addLinkMend(linkMend(`mend-${tenantId}`, { tenantId }));
  await addSlackOf(store, tenantId);
  await store.objectLayers.saveObjectChange(objectChange('a.example', { tenantId }));
  await store.admins.addAdmin(admin('ada', { role: 'owner', tenants: null }));
  await store.assistants.addAssistantGrant(assistantGrant(`grant-${tenantId}`, { tenantId }));
}

async function addLtiOf({ ltiRegistrations, placements, activity, scores }: Store, tenantId: string): Promise<void> {
  const id = `moodle-${tenantId}`;
  await ltiRegistrations.addRegistration(registration(id, { tenantId }));
  await ltiRegistrations.addDeployment(deployment(id, '1', { tenantId }));
  await placements.addPlacements([placement(`placement-${tenantId}`, { tenantId })]);
  await placements.openLink(link(`link-${tenantId}`, { tenantId }));
  await activity.noteOpened(activityOf('ada', { tenantId }), at(0));
  await scores.putScore(score(`score-${tenantId}`, { tenantId }));
}

async function addSlackOf({ slackInstallations, people }: Store, tenantId: string): Promise<void> {
  for (const id of ['T1', 'T2'])
    await slackInstallations.putInstallation(installation(`${id}-${tenantId}`, { tenantId }));
  for (const name of ['slack:T1:U1', 'lti:moodle:ada']) await people.savePerson(person(name, { tenantId }));
}

async function keysOf(store: Store, collection: StoreCollection): Promise<string[]> {
  return (await store.transfer.readRecords(collection, null, 100)).map(({ key }) => key);
}

async function everyKey(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for (const collection of storeCollections) {
    for (const key of await keysOf(store, collection)) keys.push(`${collection}: ${key}`);
  }
  return keys;
}

export function describeRemoveTenant(open: OpenStore): void {
  describe('removing a tenant', () => {
    test('removes what it has in every repository, and nothing of another one', async () => {
      const { store } = await open();
      await addAllOf(store, 'paris');
      await addAllOf(store, 'lyon-2');
      await store.audit.addAuditEntry(auditEntry('host', { tenantId: null }));
      await store.nonces.addNonce('a', 'data', at(10));
      const before = await everyKey(store);
      await addAllOf(store, 'lyon');
      expect(await everyKey(store)).toHaveLength(before.length + 22);
      await store.tenants.removeTenant('lyon');
      expect(await everyKey(store)).toEqual(before);
      expect(await store.tenants.findTenant('lyon')).toBeNull();
      expect(await store.apiKeys.findApiKeyByHash('hash of key-lyon')).toBeNull();
      expect(await store.nonces.consumeNonce('a', at(1))).toBe('data');
    });

    test('takes its id out of the scopes of administrators, which counts as a change', async () => {
      const { store } = await open();
      await addAllOf(store, 'lyon');
      const others = [
        admin('owner', { role: 'owner', tenants: null }),
        admin('near', { tenants: ['lyon-2', 'paris'] }),
        admin('none', { tenants: [] }),
      ];
      for (const record of others) await store.admins.addAdmin(record);
      await store.admins.addAdmin(admin('both', { tenants: ['paris', 'lyon', 'nice'] }));
      await store.admins.addAdmin(admin('only', { tenants: ['lyon'], version: 5 }));
      await store.tenants.removeTenant('lyon');
      expect(await store.admins.findAdmin('both')).toEqual(admin('both', { tenants: ['paris', 'nice'], version: 2 }));
      // An empty list, never null: that would be every tenant.
      expect(await store.admins.findAdmin('only')).toEqual(admin('only', { tenants: [], version: 6 }));
      for (const record of others) expect(await store.admins.findAdmin(record.id)).toEqual(record);
      // Who read the administrator before cannot bring the id back.
      const stale = admin('both', { tenants: ['paris', 'lyon'], version: 2 });
      expect(await store.admins.replaceAdmin(stale)).toBe(false);
    });

    test('takes its id out of the scopes of links', async () => {
      const { store } = await open();
      await addAllOf(store, 'lyon');
      await store.adminLinks.addAdminLink(adminLink('both', { tenants: ['paris', 'lyon'] }));
      await store.adminLinks.addAdminLink(adminLink('only', { tenants: ['lyon'] }));
      await store.adminLinks.addAdminLink(adminLink('setup', { kind: 'setup', tenants: null }));
      await store.tenants.removeTenant('lyon');
      const scope = async (id: string) => (await store.adminLinks.findAdminLink(id, at(1)))!.tenants;
      expect(await scope('both')).toEqual(['paris']);
      expect(await scope('only')).toEqual([]);
      expect(await scope('setup')).toBeNull();
    });

    test('can be done again, and finishes what a crash left', async () => {
      const { store } = await open();
      await addAllOf(store, 'lyon');
      await addAllOf(store, 'paris');
      await store.tenants.removeTenant('lyon');
      const before = await everyKey(store);
      await store.tenants.removeTenant('lyon');
      await store.tenants.removeTenant('none');
      expect(await everyKey(store)).toEqual(before);
      await store.audit.addAuditEntry(auditEntry('left', { tenantId: 'lyon' }));
      await store.admins.addAdmin(admin('left', { tenants: ['lyon'] }));
      await store.tenants.removeTenant('lyon');
      expect(await keysOf(store, 'audit')).toEqual(['entry-paris']);
      expect((await store.admins.findAdmin('left'))!.tenants).toEqual([]);
    });
  });
}
