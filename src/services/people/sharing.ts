import { AppError } from '../../errors.ts';
import type { PeopleRepository, PersonRecord, ShelfOwner, ShelfRepository } from '../../ports/store.ts';
import type { PersonRecords } from './person-records.ts';
import { copyShelf, emptyShelf, refuseTooMany } from './shelf-contents.ts';

/** Who uses whose shelf. A shelf that is shared has the name of one of those who share it, and each of them has a record: so
 *  whoever has no record uses an own shelf that nobody else does. What is interrupted goes on where the same is asked for
 *  again. */
export interface Sharing {
  /** Errors: SHELF_FULL, CHANGED_MEANWHILE. */
  join(one: ShelfOwner, other: ShelfOwner): Promise<void>;
  /** At most 100. */
  listOthers(owner: ShelfOwner): Promise<readonly PersonRecord[]>;
  /** What is shared stays with the others. */
  leave(owner: ShelfOwner): Promise<void>;
  /** What people whose names begin so share with others stays with those others. */
  leaveToGuests(tenantId: string, prefix: string): Promise<void>;
}

export interface SharingDeps {
  readonly people: PeopleRepository;
  readonly shelf: ShelfRepository;
  readonly records: PersonRecords;
}

interface Move {
  readonly from: ShelfOwner;
  readonly to: ShelfOwner;
  /** Who goes with it and has not gone yet. */
  listMovers(): Promise<readonly PersonRecord[]>;
}

/** Each attempt after the first means that somebody linked or unlinked at the same time. */
const ATTEMPTS = 10;
const MAX_LISTED = 100;

export function createSharing({ people, shelf, records }: SharingDeps): Sharing {
  const listOf = ({ tenantId, person }: ShelfOwner) =>
    people.listPeopleOfShelf(tenantId, person, MAX_LISTED + 1);

  const listOthersOf = async (shelfOwner: ShelfOwner, { person }: ShelfOwner) =>
    (await listOf(shelfOwner)).filter((record) => record.person !== person).slice(0, MAX_LISTED);

  /** In this order everything is on the new shelf before anyone uses it, and what was saved on the old one meanwhile follows. */
  async function move({ from, to, listMovers }: Move): Promise<void> {
    await copyShelf(shelf, from, to);
    for (let movers = await listMovers(); movers.length > 0; movers = await listMovers())
      for (const mover of movers)
        await records.update(mover, (record) =>
          record.shelfPerson === from.person ? { ...record, shelfPerson: to.person } : record,
        );
    await emptyShelf(shelf, from, to);
  }

  /** Those who link the same people at once, in either direction, do the same.
   *  @returns whether they shared one already */
  async function joinOnce(one: ShelfOwner, other: ShelfOwner): Promise<boolean> {
    const [first, second] = [await records.find(one), await records.find(other)];
    const { tenantId } = one;
    if (first.shelfPerson === second.shelfPerson) {
      await collectRest({ tenantId, person: first.shelfPerson });
      return true;
    }
    const [to, from] = [first.shelfPerson, second.shelfPerson].sort().map((person) => ({ tenantId, person }));
    await refuseTooMany(shelf, [from!, to!]);
    for (const owner of [one, other]) await records.update(owner, (record) => ({ ...record }));
    const isAsking = ({ person }: ShelfOwner) => [one.person, other.person].includes(person);
    /** Who asks goes last: until then both use different shelves, so that asking again goes on with the rest. */
    const listMovers = async () => {
      const users = await listOf(from!);
      const others = users.filter((user) => !isAsking(user));
      return others.length > 0 ? others : users;
    };
    await move({ from: from!, to: to!, listMovers });
    return false;
  }

  /** Takes what was left on shelves that nobody uses any more, whose owners use this one. */
  async function collectRest(to: ShelfOwner): Promise<void> {
    for (const { tenantId, person } of await listOf(to)) {
      const isUsed = (await people.listPeopleOfShelf(tenantId, person, 1)).length > 0;
      if (!isUsed) await emptyShelf(shelf, { tenantId, person }, to);
    }
  }

  return {
    async join(one, other) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await joinOnce(one, other)) return;
      throw new AppError('CHANGED_MEANWHILE', 'Others linked the same shelves at once. Try again.');
    },
    async listOthers(owner) {
      const { shelfPerson } = await records.find(owner);
      return listOthersOf({ ...owner, person: shelfPerson }, owner);
    },
    async leave({ tenantId, person }) {
      const owner = { tenantId, person };
      const left = await records.update(owner, (record) =>
        record.shelfPerson === person ? record : { ...record, shelfPerson: person },
      );
      // Who used another shelf has an own one that is empty; who shared their own leaves it to the others.
      const [heir] = await listOthersOf(owner, left);
      if (heir === undefined) return;
      const to = { tenantId, person: heir.person };
      await move({ from: owner, to, listMovers: () => listOthersOf(owner, owner) });
    },
    async leaveToGuests(tenantId, prefix) {
      for (;;) {
        const [heir] = await people.listGuests(tenantId, prefix, 1);
        if (heir === undefined) return;
        const from = { tenantId, person: heir.shelfPerson };
        const listMovers = async () =>
          (await listOf(from)).filter(({ person }) => !person.startsWith(prefix));
        await move({ from, to: { tenantId, person: heir.person }, listMovers });
      }
    },
  };
}
