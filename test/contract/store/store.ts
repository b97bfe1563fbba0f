import { describe, expect, test } from 'vitest';
import { storeCollections } from '../../../src/ports/store/store.ts';
import type { OpenStore } from './opened-store.ts';
import { apiKey, at, feedback, secret } from './records.ts';
import { addSamples, samples } from './samples.ts';

export function describeStore(open: OpenStore): void {
  describe('a store', () => {
    test('is empty when it is new', async () => {
      const { store } = await open();
      for (const collection of storeCollections) {
        expect(await store.transfer.readRecords(collection, null, 1), collection).toEqual([]);
      }
      expect(await store.admins.countAdmins()).toBe(0);
    });

    test('is one for all hosts: what one writes, the other sees', async () => {
      const { store, openAnother } = await open();
      const other = await openAnother();
      await addSamples(store);
      expect(await other.apiKeys.findApiKeyByHash('hash of a')).toEqual(samples.apiKeys[0]);
      await other.apiKeys.revokeApiKey('a', at(5));
      expect(await store.apiKeys.findApiKey('a')).toEqual(apiKey('a', { revokedAt: at(5) }));
      await other.feedback.saveFeedback(feedback('z'));
      expect(await store.feedback.findFeedback('z')).toEqual(feedback('z'));
      await other.close();
      expect(await store.tenants.findTenant('paris')).toEqual(samples.tenants[2]);
    });

    test('describes itself', async () => {
      const { store, openAnother } = await open();
      await addSamples(store);
      const description = await store.describe();
      expect(['sqlite', 'mongo']).toContain(description.kind);
      expect(description.location).not.toBe('');
      expect(description.version).toMatch(/^\d+\.\d+/);
      expect(description.schemaVersion).toBeGreaterThan(0);
      if (description.bytes !== null) expect(description.bytes).toBeGreaterThan(0);
      const { bytes: _, ...ofAnother } = await (await openAnother()).describe();
      expect(description).toMatchObject(ofAnother);
    });

    test('is there until it is closed; then every call says that it is not available', async () => {
      const { store, openAnother } = await open();
      await expect(store.check()).resolves.toBeUndefined();
      const other = await openAnother();
      await addSamples(store);
      await store.close();
      await store.close();
      const calls: readonly (() => Promise<unknown>)[] = [
        () => store.check(),
        () => store.describe(),
        () => store.tenants.findTenant('lyon'),
        () => store.tenants.removeTenant('lyon'),
        () => store.secrets.putSecret(secret('lyon', 'late')),
        () => store.apiKeys.findApiKeyByHash('hash of a'),
        () => store.feedback.saveFeedback(feedback('late')),
        () =>
          store.audit.readAuditEntries(
            { scope: null, action: null, period: { from: null, until: null }, search: '' },
            null,
            1,
          ),
        () => store.admins.countAdmins(),
        () => store.adminLinks.listAdminLinks(at(1)),
        () => store.adminSessions.removeAdminSession('a'),
        () => store.usage.addUsage(samples.usage),
        () => store.rateCounters.addRatePoints('a', 1, { now: at(0), expiresAt: at(1) }),
        () => store.nonces.addNonce('a', 'data', at(1)),
        () => store.answers.findAnswer('a', at(1)),
        () => store.shelf.clearShelf(samples.shelf[0]),
        () => store.ltiRegistrations.listPublicKeys(),
        () => store.placements.openLink(samples.ltiLinks[0]),
        () => store.activity.noteOpened(samples.activity[0], at(1)),
        () => store.scores.findNextDue(),
        () => store.slackInstallations.removeInstallation('T1', null),
        () => store.people.removePeople('lyon', ''),
        () => store.imports.listLive(),
        () => store.linkChecks.deadLinksVersion(),
        () => store.linkMends.findLinkMend('lyon', 'a'),
        () => store.objectLayers.readObjectLayerVersions(['lyon']),
        () => store.transfer.readRecords('tenants', null, 1),
      ];
      for (const call of calls) {
        await expect(call(), String(call)).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          kind: 'unavailable',
        });
      }
      expect(await other.tenants.findTenant('lyon')).toEqual(samples.tenants[0]);
      expect(await other.feedback.findFeedback('late')).toBeNull();
    });
  });
}
