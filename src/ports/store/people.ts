import type { Preferences, RecentSearch } from '../../domain/person.ts';
import type { ShelfOwner } from './shelf.ts';

/** What is kept of somebody besides what they saved. */
export interface PersonRecord extends ShelfOwner {
  /** Whose shelf they use: their own name, or that of a person they are linked with. */
  readonly shelfPerson: string;
  readonly preferences: Preferences;
  /** Newest first. */
  readonly recentSearches: readonly RecentSearch[];
  /** As they were typed, newest first. */
  readonly savedSearches: readonly string[];
  /** 1 when it is added, one more with each change. */
  readonly version: number;
}

export interface PeopleRepository {
  findPerson(owner: ShelfOwner): Promise<PersonRecord | null>;
  /** Adds it (version 1), or puts it where exactly the version before it stands. False when it does not stand there. */
  savePerson(record: PersonRecord): Promise<boolean>;
  /** Everyone who uses this shelf, in the order of their names; at most `limit`. */
  listPeopleOfShelf(tenantId: string, shelfPerson: string, limit: number): Promise<readonly PersonRecord[]>;
  /** People whose name does not begin with `prefix` but who use the shelf of a person whose name does; in the order of their
   *  names, at most `limit`. */
  listGuests(tenantId: string, prefix: string, limit: number): Promise<readonly PersonRecord[]>;
  /** False when there was none. */
  removePerson(owner: ShelfOwner): Promise<boolean>;
  /** Everyone of the tenant whose name begins with this prefix. @returns how many there were */
  removePeople(tenantId: string, prefix: string): Promise<number>;
}
