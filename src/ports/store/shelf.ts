import type { LearningObject } from '#domain/learning-object';
import { describeRecord, field, is, KEY, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';

/** A person in a tenant. `person` is an id with the name of the face in front: `slack:T1:U1`. */
export interface ShelfOwner {
  readonly tenantId: string;
  readonly person: string;
}

export const shelfRecords = describeRecord('shelf', {
  fields: {
    tenantId: field.ofTenant,
    person: field.text(),
    /** Normalized address of the object (`normalizeObjectAddress`): a shelf has each object
     *  once. */
    address: field.text(),
    /** The object as it was found then. */
    object: field.json<LearningObject>(),
    /** Of the search that found it, for feedback; null where it was not found by one. */
    requestId: field.nullable(field.text()),
    savedAt: field.instant,
  },
  key: ['tenantId', 'person', 'address'],
  // A number below the capacity; its address where it is copied from another store.
  derived: { place: { of: ({ address }) => `of ${address}`, in: 'mongo' } },
  indexes: [
    { fields: ['tenantId', 'person', 'derived.place'], isUnique: true, in: 'mongo' },
    ['tenantId', 'person', '-savedAt', KEY],
  ],
});

/** A learning object that a person saved. */
export type ShelfRecord = RecordOf<typeof shelfRecords>;

export type ShelfRepository = ReturnType<typeof createShelfRepository>;

export function createShelfRepository(
  open: OpenRecords,
  addToShelf: (record: ShelfRecord, capacity: number) => Promise<'added' | 'kept' | 'full'>,
) {
  const records = open(shelfRecords);
  return {
    /** Adds it, unless the shelf has the object already or has `capacity` objects, in one step:
     *  there are never more, as long as all hosts give the same capacity.
     *  @returns what came of it; `kept` means that it was there already and stays as it was, also
     *  on a full shelf */
    addToShelf,
    /** Newest first, ties in the order of the addresses as they are. */
    listShelf: ({ tenantId, person }: ShelfOwner, page: PageRequest) =>
      records.page({ where: { tenantId, person }, order: ['-savedAt'] }, page),
    /** Those of the addresses that are on the shelf, in any order. */
    findOnShelf: async ({ tenantId, person }: ShelfOwner, addresses: readonly string[]): Promise<readonly string[]> => {
      const where = { tenantId, person, address: is.oneOf(addresses) };
      const saved = await records.summarize(['address'], where);
      return saved.map(({ address }) => address);
    },
    /** False when it was not there. */
    removeFromShelf: async ({ tenantId, person }: ShelfOwner, address: string) =>
      (await records.remove({ tenantId, person, address })) === 1,
    /** @returns how many there were */
    clearShelf: ({ tenantId, person }: ShelfOwner) => records.remove({ tenantId, person }),
    /** Removes shelves of people with this prefix. @returns the number of objects */
    clearShelves: (tenantId: string, prefix: string) => records.remove({ tenantId, person: is.beginningWith(prefix) }),
  };
}
