import { describe, expect, test } from 'vitest';
import type { AuditEntry, AuditFilter, AuditRepository } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore, readPages } from './opened-store.ts';
import { at, auditEntry, awkwardText, longText, tenant } from './records.ts';
import { expectPlainSearch } from './search.ts';

const all: AuditFilter = { scope: null, action: null, period: { from: null, until: null }, search: '' };

const sample = [
  auditEntry('a', { at: at(1) }),
  auditEntry('b', { at: at(2), tenantId: 'paris' }),
  auditEntry('c', { at: at(2), tenantId: null, action: 'admin.added' }),
  auditEntry('d', { at: at(3) }),
];

export function describeAudit(open: OpenStore): void {
  const openAudit = async (entries: readonly AuditEntry[]): Promise<AuditRepository> => {
    const { store } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const entry of entries) await store.audit.addAuditEntry(entry);
    return store.audit;
  };
  const list = (audit: AuditRepository, changes: Partial<AuditFilter>, ascending = false) =>
    audit.listAuditEntries({ ...all, ...changes, ascending, page: 0, pageSize: 100 });
  /** By both ways to read, which must find the same. */
  const found = async (audit: AuditRepository, changes: Partial<AuditFilter>) => {
    const { items, total } = await list(audit, changes, true);
    expect(await audit.readAuditEntries({ ...all, ...changes }, null, 1_000)).toEqual(items);
    expect(total).toBe(items.length);
    return ids(items);
  };

  describe('the audit trail', () => {
    test('comes back as it was given', async () => {
      const entries = [
        auditEntry('a', { target: awkwardText, details: { 'with.dot': awkwardText, $set: longText } }),
        auditEntry('b', {
          actor: { kind: 'system', id: null, name: 'Skilldock', address: null },
          tenantId: null,
          details: {},
        }),
      ];
      const audit = await openAudit(entries);
      expect(await audit.readAuditEntries(all, null, 10)).toEqual(entries);
      expect((await list(audit, {})).items).toEqual(entries);
    });

    test('is listed newest first or oldest first, ties in the order of the ids', async () => {
      const audit = await openAudit(sample.toReversed());
      expect(ids((await list(audit, {})).items)).toEqual(['d', 'b', 'c', 'a']);
      expect(ids((await list(audit, {}, true)).items)).toEqual(['a', 'b', 'c', 'd']);
    });

    test('is listed page by page', async () => {
      const audit = await openAudit(sample);
      const { items, sizes, total } = await readPages(
        (page) => audit.listAuditEntries({ ...all, ...page, ascending: false }),
        3,
      );
      expect([ids(items), sizes, total]).toEqual([['d', 'b', 'c', 'a'], [3, 1, 0], 4]);
    });

    test('shows a scope its own tenants, and what belongs to the whole host to those who see all', async () => {
      const audit = await openAudit(sample);
      expect(await found(audit, { scope: null })).toEqual(['a', 'b', 'c', 'd']);
      expect(await found(audit, { scope: ['lyon', 'none'] })).toEqual(['a', 'd']);
      expect(await found(audit, { scope: ['paris', 'lyon'] })).toEqual(['a', 'b', 'd']);
      expect(await found(audit, { scope: [] })).toEqual([]);
    });

    test('is found by action and period', async () => {
      const audit = await openAudit(sample);
      expect(await found(audit, { action: 'admin.added' })).toEqual(['c']);
      expect(await found(audit, { action: 'admin' })).toEqual([]);
      expect(await found(audit, { period: { from: at(2), until: at(3) } })).toEqual(['b', 'c']);
      expect(await found(audit, { period: { from: at(2), until: null } })).toEqual(['b', 'c', 'd']);
      expect(await found(audit, { period: { from: null, until: at(2) } })).toEqual(['a']);
      expect(
        await found(audit, {
          period: { from: at(2), until: null },
          action: 'tenant.changed',
          scope: ['lyon'],
        }),
      ).toEqual(['d']);
    });

    test('is found by part of the name of who did it, of the target or of the address', async () => {
      const audit = await openAudit([]);
      const actor = { kind: 'admin', id: 'who', name: 'Grâce Höpper', address: '2001:db8::7' } as const;
      await expectPlainSearch(
        (target, number) => audit.addAuditEntry(auditEntry(`e${number}`, { actor, target })),
        async (search) => (await list(audit, { search })).items.map(({ target }) => target),
      );
      await audit.addAuditEntry(auditEntry('ada', { target: 'other' }));
      await audit.addAuditEntry(
        auditEntry('host', { actor: { ...actor, name: 'Skilldock', address: null }, target: 'other' }),
      );
      expect(await found(audit, { search: 'grace hopper' })).toHaveLength(11);
      expect(await found(audit, { search: 'DB8::' })).toHaveLength(11);
      expect(await found(audit, { search: '192.0.2.7' })).toEqual(['ada']);
      expect(await found(audit, { search: 'skill', action: 'tenant.changed' })).toEqual(['host']);
      expect(await found(audit, { search: 'tenant.changed' })).toEqual([]);
    });

    test('is read from any entry on, oldest first', async () => {
      const audit = await openAudit(sample.toReversed());
      const read = async (after: Pick<AuditEntry, 'at' | 'id'> | null, limit: number) =>
        ids(await audit.readAuditEntries(all, after, limit));
      expect(await read(null, 2)).toEqual(['a', 'b']);
      expect(await read(sample[1]!, 2)).toEqual(['c', 'd']);
      expect(await read({ at: at(2), id: 'bb' }, 1)).toEqual(['c']);
      expect(await read({ at: at(1), id: 'z' }, 10)).toEqual(['b', 'c', 'd']);
      expect(await read(sample[3]!, 10)).toEqual([]);
      expect(ids(await audit.readAuditEntries({ ...all, scope: ['lyon'] }, sample[0]!, 10))).toEqual(['d']);
    });
  });
}
