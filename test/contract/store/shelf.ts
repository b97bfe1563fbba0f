import { describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../src/domain/learning-object.ts';
import type { ShelfOwner, ShelfRecord, ShelfRepository } from '../../../src/ports/store/store.ts';
import { type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, longText, shelved, tenant } from './records.ts';

const owner: ShelfOwner = { tenantId: 'lyon', person: 'slack:T1:U1' };
const whole = { page: 0, pageSize: 100 };

/** Everything that an object may have. */
const fullObject: LearningObject = {
  title: awkwardText,
  url: 'https://example.org/É?a=1&b=2#c',
  description: longText,
  picture: 'data:image/png;base64,AAAA',
  provider: 'OpenLearn',
  bloom: ['Apply', 'Create'],
  type: ['video', 'mooc'],
  level: -0.25,
  lang: 'fr',
  learningTime: { value: 1.5, unit: 'h' },
  address: 'Lyon',
  publisher: ['a', 'b'],
  author: ['Ève'],
  price: { amount: 9.99, currency: '€', free: false },
};

export function describeShelf(open: OpenStore): void {
  const openShelf = async (records: readonly ShelfRecord[] = []) => {
    const { store, openAnother } = await open();
    for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
    for (const record of records) expect(await store.shelf.addToShelf(record, 100)).toBe('added');
    return { store, repository: store.shelf, openAnother };
  };
  const listed = async (repository: ShelfRepository, of: ShelfOwner = owner) =>
    (await repository.listShelf(of, whole)).items.map(({ address }) => address);

  describe('a shelf', () => {
    test('gives back what was put on it, newest first, ties in the order of the addresses', async () => {
      const kept = [
        shelved('c', { savedAt: at(2), object: fullObject }),
        shelved('B', { savedAt: at(1) }),
        shelved('a b!', { savedAt: at(1), requestId: null }),
        shelved(awkwardText, { savedAt: at(0), requestId: awkwardText }),
      ];
      const { repository } = await openShelf(kept.toReversed());
      const { items, total } = await repository.listShelf(owner, whole);
      expect(items).toEqual(kept);
      expect(total).toBe(4);
      // Not only equal: nothing that the object does not have was added to it.
      expect(Object.keys(items[1]!.object).toSorted()).toEqual(Object.keys(kept[1]!.object).toSorted());
    });

    test('is listed page by page', async () => {
      const kept = ['a', 'b', 'c', 'd', 'e'].map((address) => shelved(address));
      const { repository } = await openShelf(kept);
      const { items, sizes, total } = await readPages((page) => repository.listShelf(owner, page), 2);
      expect([items, sizes, total]).toEqual([kept, [2, 2, 1, 0], 5]);
    });

    test('has an object once, as it was first', async () => {
      const { repository } = await openShelf([shelved('a')]);
      const again = shelved('a', { savedAt: at(5), object: fullObject });
      expect(await repository.addToShelf(again, 100)).toBe('kept');
      expect((await repository.listShelf(owner, whole)).items).toEqual([shelved('a')]);
    });

    test('takes nothing more when it is full, until something is removed', async () => {
      const { repository } = await openShelf();
      const add = (address: string, capacity = 2) => repository.addToShelf(shelved(address), capacity);
      expect(await add('none', 0)).toBe('full');
      expect([await add('a'), await add('b'), await add('c')]).toEqual(['added', 'added', 'full']);
      expect(await add('b')).toBe('kept');
      expect(await repository.removeFromShelf(owner, 'a')).toBe(true);
      expect([await add('c'), await add('d')]).toEqual(['added', 'full']);
      expect(await listed(repository)).toEqual(['b', 'c']);
      expect(await add('d', 3)).toBe('added');
      // Where the capacity is less than before, what is there stays.
      expect(await add('e', 1)).toBe('full');
      await repository.removeFromShelf(owner, 'b');
      expect(await add('e', 2)).toBe('full');
      await repository.removeFromShelf(owner, 'c');
      expect(await add('e', 2)).toBe('added');
      expect(await listed(repository)).toEqual(['d', 'e']);
    });

    test('has no more than its capacity, however many hosts add at once', async () => {
      const { store, repository, openAnother } = await openShelf([shelved('x'), shelved('y')]);
      const outcomes = await race([store, await openAnother()], 30, ({ shelf }, number) =>
        shelf.addToShelf(shelved(`${number}`), 12),
      );
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(20);
      expect(await listed(repository)).toHaveLength(12);
    });

    test('takes one of many who add the same at once', async () => {
      const { store, repository, openAnother } = await openShelf();
      const outcomes = await race([store, await openAnother()], 10, ({ shelf }, number) =>
        shelf.addToShelf(shelved('a', { requestId: `${number}` }), 5),
      );
      expect(outcomes.toSorted()).toEqual(['added', ...Array(9).fill('kept')]);
      const requestId = `${outcomes.indexOf('added')}`;
      expect((await repository.listShelf(owner, whole)).items).toEqual([shelved('a', { requestId })]);
    });

    test('keeps its capacity with objects that were copied from another store', async () => {
      const { store, repository, openAnother } = await openShelf([shelved('own')]);
      const copied = ['a', 'b', 'c'].map((address) => shelved(address));
      await store.transfer.writeRecords(
        'shelf',
        copied.map((record) => ({ key: `lyon slack:T1:U1 ${record.address}`, record: { ...record } })),
      );
      expect(await repository.addToShelf(shelved('b'), 4)).toBe('kept');
      expect(await repository.addToShelf(shelved('d'), 4)).toBe('full');
      const outcomes = await race([store, await openAnother()], 10, ({ shelf }, number) =>
        shelf.addToShelf(shelved(`${number}`), 7),
      );
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(3);
      await repository.removeFromShelf(owner, 'a');
      expect(await repository.addToShelf(shelved('e'), 7)).toBe('added');
      expect(await repository.addToShelf(shelved('f'), 7)).toBe('full');
    });

    test('tells which of the addresses are on it', async () => {
      const { repository } = await openShelf([shelved('a'), shelved(awkwardText), shelved('c')]);
      await repository.addToShelf(shelved('d', { person: 'other' }), 5);
      const found = await repository.findOnShelf(owner, ['c', 'd', 'C', awkwardText, 'c']);
      expect([...found].toSorted()).toEqual([awkwardText, 'c'].toSorted());
      expect(await repository.findOnShelf(owner, [])).toEqual([]);
    });

    test('loses what is removed, and nothing else', async () => {
      const { repository } = await openShelf([shelved('a'), shelved(awkwardText), shelved('c')]);
      expect(await repository.removeFromShelf(owner, awkwardText)).toBe(true);
      expect(await repository.removeFromShelf(owner, awkwardText)).toBe(false);
      expect(await repository.removeFromShelf({ ...owner, person: 'other' }, 'a')).toBe(false);
      expect(await listed(repository)).toEqual(['a', 'c']);
      expect(await repository.clearShelf(owner)).toBe(2);
      expect(await repository.clearShelf(owner)).toBe(0);
      expect(await listed(repository)).toEqual([]);
    });

    test('is of one person of one tenant', async () => {
      // Which of the blanks ends the name makes all the difference.
      const others = [
        shelved('b c', { person: 'a' }),
        shelved('c', { person: 'a b' }),
        shelved('c', { person: 'a!Pb' }),
        shelved('c', { person: 'A b' }),
        shelved('c', { person: 'a b', tenantId: 'paris' }),
      ];
      const { repository } = await openShelf(others);
      for (const record of others) {
        expect((await repository.listShelf(record, whole)).items).toEqual([record]);
        expect(await repository.addToShelf(shelved('d', { ...record, address: 'd' }), 1)).toBe('full');
      }
      expect(await repository.clearShelf({ tenantId: 'lyon', person: 'a b' })).toBe(1);
      expect(await repository.removeFromShelf({ tenantId: 'lyon', person: 'a' }, 'b c')).toBe(true);
      for (const record of others.slice(2)) expect(await listed(repository, record)).toEqual(['c']);
    });
  });
}
