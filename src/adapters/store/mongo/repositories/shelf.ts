import { randomInt } from 'node:crypto';
import type { Connection, Model } from 'mongoose';
import { toRecordKey } from '../../../../domain/record-key.ts';
import { AppError } from '../../../../errors.ts';
import type { ShelfOwner, ShelfRecord, ShelfRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { instant, json, text } from '../fields.ts';
import { listPage, matchListBeginning, orderListBy } from '../list-page.ts';

type ShelfKey = Pick<ShelfRecord, 'tenantId' | 'person' | 'address'>;

const keyOf = ({ tenantId, person, address }: ShelfKey) => toRecordKey([tenantId, person, address]);

/** Every object has a place of its own: a number below the shelf's capacity, which a unique index gives to one object only. So a
 *  shelf is never overfull, however many add at once. What is copied from another store has its address instead of a number. */
export const shelf = defineCollection<ShelfRecord>('shelf', {
  fields: { tenantId: text, person: text, address: text, object: json, requestId: text, savedAt: instant },
  key: keyOf,
  derived: { place: { field: text, of: ({ address }) => `of ${address}` } },
  indexes: [
    { key: { tenantId: 1, person: 1, 'derived.place': 1 }, unique: true },
    { key: { tenantId: 1, person: 1, savedAt: -1, _id: 1 } },
  ],
});

/** A refused place went to someone who was quicker, so few tries are ever needed. */
const TRIES = 50;

export function createShelfRepository(connection: Connection): ShelfRepository {
  const model = openCollection(connection, shelf);
  return {
    async addToShelf(record, capacity) {
      for (let tried = 0; tried < TRIES; tried += 1) {
        const outcome = await tryToAdd(model, record, capacity);
        if (outcome !== 'overtaken') return outcome;
      }
      throw new AppError('STORE_UNAVAILABLE', 'The shelf is changed by too many at once. Try again.');
    },
    listShelf: (owner, page) =>
      listPage(model, shelf, { conditions: [isOf(owner)], order: orderListBy(['savedAt'], true), page }),
    async findOnShelf(owner, addresses) {
      const keys = addresses.map((address) => keyOf({ ...owner, address }));
      const found = await model.find({ _id: { $in: keys } }, { address: 1 }).lean<Document[]>();
      return found.map(({ address }) => address as string);
    },
    removeFromShelf: async (owner, address) =>
      (await model.deleteOne({ _id: keyOf({ ...owner, address }) })).deletedCount === 1,
    clearShelf: async (owner) => (await model.deleteMany(isOf(owner))).deletedCount,
    clearShelves: async (tenantId, prefix) =>
      (await model.deleteMany({ tenantId, ...matchListBeginning('person', prefix) })).deletedCount,
  };
}

function isOf({ tenantId, person }: ShelfOwner) {
  return { tenantId, person };
}

/** `overtaken` where another call took the place, or added the same object, in between. */
async function tryToAdd(model: Model<Document>, record: ShelfRecord, capacity: number) {
  const key = keyOf(record);
  const standing = await model.find(isOf(record), { 'derived.place': 1 }).lean<ShelvedDocument[]>();
  if (standing.some(({ _id }) => _id === key)) return 'kept';
  if (standing.length >= capacity) return 'full';
  // An address is none: NaN.
  const taken = standing.map(({ derived }) => Number(derived.place));
  const place = findFreePlace(taken, capacity);
  const isAdded = await writeUnlessTaken(async () => {
    await model.insertOne({ ...shelf.toDocument(record), derived: { place } });
    return true;
  });
  return isAdded ? 'added' : 'overtaken';
}

interface ShelvedDocument extends Document {
  readonly derived: { readonly place: string };
}

/** A random free one, so that simultaneous calls seldom choose the same. Objects without a number, or with a high one from when
 *  the capacity was larger, leave more of the lower numbers unused. */
function findFreePlace(taken: readonly number[], capacity: number): string {
  let usable = capacity;
  while (usable + taken.filter((number) => !(number < usable)).length > capacity) usable -= 1;
  const numbers = Array.from({ length: usable }, (_, number) => number);
  const free = numbers.filter((number) => !taken.includes(number));
  return `${free[randomInt(free.length)]}`;
}
