import { AppError } from '../../errors.ts';
import type { ShelfOwner } from '../../ports/store/store.ts';
import { listUsers, moveShelf, type SharingDeps } from './move-shelf.ts';
import { emptyShelf, refuseTooMany } from './shelf-contents.ts';

/** Each attempt after the first means that somebody linked or unlinked at the same time. */
const ATTEMPTS = 10;

/** Errors: SHELF_FULL, CHANGED_MEANWHILE. */
export async function joinShelves(deps: SharingDeps, one: ShelfOwner, other: ShelfOwner): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await joinOnce(deps, one, other)) return;
  throw new AppError('CHANGED_MEANWHILE', 'Others linked the same shelves at once. Try again.');
}

/** Those who link the same people at once, in either direction, do the same.
 *  @returns whether they shared one already */
async function joinOnce(deps: SharingDeps, one: ShelfOwner, other: ShelfOwner): Promise<boolean> {
  const { people, shelf, records } = deps;
  const [first, second] = [await records.find(one), await records.find(other)];
  const { tenantId } = one;
  if (first.shelfPerson === second.shelfPerson) {
    await collectRest(deps, { tenantId, person: first.shelfPerson });
    return true;
  }
  const [to, from] = [first.shelfPerson, second.shelfPerson].sort().map((person) => ({ tenantId, person }));
  await refuseTooMany(shelf, [from!, to!]);
  for (const owner of [one, other]) await records.update(owner, (record) => ({ ...record }));
  const isAsking = ({ person }: ShelfOwner) => [one.person, other.person].includes(person);
  /** Who asks goes last: until then both use different shelves, so that asking again goes on with the rest. */
  const listMovers = async () => {
    const users = await listUsers(people, from!);
    const others = users.filter((user) => !isAsking(user));
    return others.length > 0 ? others : users;
  };
  await moveShelf(deps, { from: from!, to: to!, listMovers });
  return false;
}

/** Takes what was left on shelves that nobody uses any more, whose owners use this one. */
async function collectRest({ people, shelf }: SharingDeps, to: ShelfOwner): Promise<void> {
  for (const { tenantId, person } of await listUsers(people, to)) {
    const isUsed = (await people.listPeopleOfShelf(tenantId, person, 1)).length > 0;
    if (!isUsed) await emptyShelf(shelf, { tenantId, person }, to);
  }
}
