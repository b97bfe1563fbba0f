import type { PeopleRepository, ShelfOwner } from '../../ports/store/store.ts';

/** Whose shelf somebody uses: their own, unless they share that of somebody else. */
export async function findShelfOwner(
  people: Pick<PeopleRepository, 'findPerson'>,
  owner: ShelfOwner,
): Promise<ShelfOwner> {
  const record = await people.findPerson(owner);
  return { tenantId: owner.tenantId, person: record?.shelfPerson ?? owner.person };
}
