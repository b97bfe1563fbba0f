import type { LearningObject } from '#domain/learning-object';
import { describeRecord, field, is, KEY, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';

/** `person` begins with the name of the face: `slack:T1:U1`. */
export type ShelfOwner = { readonly tenantId: string; readonly person: string };

export const shelfRecords = describeRecord('shelf', {
  fields: {
    tenantId: field.ofTenant,
    person: field.text(),
    /** Normalized (`normalizeObjectAddress`): a shelf has each object once. */
    address: field.text(),
    /** The object as it was when it was saved. */
    object: field.json<LearningObject>(),
    /** Request ID of the search that returned the object, for feedback; null if there was none. */
    requestId: field.nullable(field.text()),
    savedAt: field.instant,
  },
  personal: { account: 'person', about: 'address object requestId savedAt' },
  impersonal: 'tenantId',
  privacy: { seenBy: ['person'], kept: 'person', erasure: 'remove' },
  key: ['tenantId', 'person', 'address'],
  // A number below the capacity, or the address in a copy from another store.
  derived: { place: { of: ({ address }) => `of ${address}`, in: 'mongo' } },
  indexes: [
    { fields: ['tenantId', 'person', 'derived.place'], isUnique: true, in: 'mongo' },
    ['tenantId', 'person', '-savedAt', KEY],
  ],
});

export type ShelfRecord = RecordOf<typeof shelfRecords>;
export type ShelfRepository = ReturnType<typeof createShelfRepository>;

export function createShelfRepository(
  open: OpenRecords,
  addToShelf: (record: ShelfRecord, capacity: number) => Promise<'added' | 'kept' | 'full'>,
) {
  const records = open(shelfRecords);
  return {
    /** Adds an object unless the shelf has it already (`kept`, also on a full shelf) or has
     *  `capacity` objects, in one step. The limit holds if all hosts give the same capacity. */
    addToShelf,
    /** Lists what is on a shelf, newest first, ties in the order of the addresses. */
    listShelf: ({ tenantId, person }: ShelfOwner, page: PageRequest) =>
      records.page({ where: { tenantId, person }, order: ['-savedAt'] }, page),
    /** Returns those of the addresses that are on the shelf, in any order. */
    findOnShelf: async ({ tenantId, person }: ShelfOwner, addresses: readonly string[]): Promise<readonly string[]> => {
      const where = { tenantId, person, address: is.oneOf(addresses) };
      const saved = await records.summarize(['address'], where);
      return saved.map(({ address }) => address);
    },
    removeFromShelf: async ({ tenantId, person }: ShelfOwner, address: string) =>
      (await records.remove({ tenantId, person, address })) === 1,
    /** Removes everything from a shelf. @returns the number of objects */
    clearShelf: ({ tenantId, person }: ShelfOwner) => records.remove({ tenantId, person }),
    /** Removes shelves of people with this prefix. @returns the number of objects */
    clearShelves: (tenantId: string, prefix: string) => records.remove({ tenantId, person: is.beginningWith(prefix) }),
  };
}
