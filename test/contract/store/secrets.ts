import { describe, expect, test } from 'vitest';
import type { SecretRecord } from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, longText, secret, tenant } from './records.ts';

export function describeSecrets(open: OpenStore): void {
  const openSecrets = async (records: readonly SecretRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'lyon-2', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) await store.secrets.putSecret(record);
    return { secrets: store.secrets, store, openAnother };
  };

  describe('secrets', () => {
    test('come back as they were given', async () => {
      const long = secret('lyon', 'marketplace-key', { sealed: awkwardText + longText, lastFour: null });
      const { secrets } = await openSecrets([secret('lyon', 'upstream-api-key'), long]);
      expect(await secrets.findSecret('lyon', 'marketplace-key')).toEqual(long);
      expect(await secrets.findSecret('lyon', 'upstream-api-key')).toEqual(secret('lyon', 'upstream-api-key'));
      expect(await secrets.findSecret('paris', 'marketplace-key')).toBeNull();
      expect(await secrets.findSecret('lyon', 'none')).toBeNull();
    });

    test('replace the one of the same tenant and name', async () => {
      const { secrets } = await openSecrets([secret('lyon', 'a'), secret('lyon', 'b'), secret('paris', 'a')]);
      const changed = secret('lyon', 'a', {
        boundTo: 'http://[::1]:8080',
        sealed: 'v1.new',
        lastFour: null,
        updatedAt: at(9),
      });
      await secrets.putSecret(changed);
      expect(await secrets.listSecrets(null, 10)).toEqual([changed, secret('lyon', 'b'), secret('paris', 'a')]);
    });

    test('are listed in the order of tenant and name, from any place on', async () => {
      const ordered = [
        secret('lyon', 'a'),
        secret('lyon', 'b'),
        secret('lyon-2', 'a'),
        secret('paris', 'a'),
        secret('paris', 'c'),
      ];
      const { secrets } = await openSecrets(ordered.toReversed());
      expect(await secrets.listSecrets(null, 1_000)).toEqual(ordered);
      expect(await secrets.listSecrets(null, 2)).toEqual(ordered.slice(0, 2));
      expect(await secrets.listSecrets(ordered[1]!, 2)).toEqual(ordered.slice(2, 4));
      expect(await secrets.listSecrets({ tenantId: 'paris', name: 'b' }, 2)).toEqual(ordered.slice(4));
      expect(await secrets.listSecrets(ordered[4]!, 2)).toEqual([]);
    });

    test('are resealed where exactly the given one stands', async () => {
      const old = secret('lyon', 'a');
      const { secrets } = await openSecrets([old, secret('lyon', 'b'), secret('paris', 'a')]);
      expect(await secrets.resealSecret(old, 'v1.key2')).toBe(true);
      expect(await secrets.findSecret('lyon', 'a')).toMatchObject({ sealed: 'v1.key2', lastFour: 'wxyz' });
      expect(await secrets.resealSecret(old, 'v1.key3')).toBe(false);
      expect(await secrets.resealSecret(secret('lyon', 'none'), 'v1.key2')).toBe(false);
      expect(await secrets.findSecret('lyon', 'a')).toMatchObject({ sealed: 'v1.key2' });
      expect(await secrets.findSecret('lyon', 'b')).toEqual(secret('lyon', 'b'));
      expect(await secrets.findSecret('paris', 'a')).toEqual(secret('paris', 'a'));
    });

    test('are resealed by one of many', async () => {
      const { secrets, store, openAnother } = await openSecrets([secret('lyon', 'a')]);
      const resealed = await race([store, await openAnother()], 10, (handle, number) =>
        handle.secrets.resealSecret(secret('lyon', 'a'), `by ${number}`),
      );
      expect(resealed.filter((done) => done)).toHaveLength(1);
      expect((await secrets.findSecret('lyon', 'a'))!.sealed).toBe(`by ${resealed.indexOf(true)}`);
    });

    test('are removed one at a time', async () => {
      const { secrets } = await openSecrets([secret('lyon', 'a'), secret('lyon', 'b'), secret('paris', 'a')]);
      expect(await secrets.removeSecret('lyon', 'a')).toBe(true);
      expect(await secrets.removeSecret('lyon', 'a')).toBe(false);
      expect(await secrets.removeSecret('none', 'a')).toBe(false);
      expect(await secrets.listSecrets(null, 10)).toEqual([secret('lyon', 'b'), secret('paris', 'a')]);
    });
  });
}
