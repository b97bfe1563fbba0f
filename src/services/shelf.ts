import type { LearningObject } from '../domain/learning-object.ts';
import { objectAddress } from '../domain/object-address.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Page, PageRequest, ShelfOwner, ShelfRecord, ShelfRepository } from '../ports/store.ts';

export interface FoundForShelf {
  readonly object: LearningObject;
  /** Of the search that found it, for feedback; null where it was not found by one. */
  readonly requestId: string | null;
}

/** Learning objects that people save for later, each once, whatever spelling its address has. */
export interface Shelf {
  /** `kept` where it was there already. Errors: SHELF_FULL. */
  save(owner: ShelfOwner, found: FoundForShelf): Promise<'added' | 'kept'>;
  /** Newest first. */
  list(owner: ShelfOwner, page: PageRequest): Promise<Page<ShelfRecord>>;
  /** Those of the addresses, as they were given, whose objects are saved. */
  findSaved(owner: ShelfOwner, urls: readonly string[]): Promise<ReadonlySet<string>>;
  /** False when it was not there. */
  remove(owner: ShelfOwner, url: string): Promise<boolean>;
  /** @returns how many there were */
  clear(owner: ShelfOwner): Promise<number>;
}

export interface ShelfDeps {
  readonly shelf: ShelfRepository;
  readonly clock: Clock;
}

const CAPACITY = 500;

export function createShelf({ shelf, clock }: ShelfDeps): Shelf {
  return {
    async save({ tenantId, person }, { object, requestId }) {
      const address = objectAddress(object.url);
      const record = { tenantId, person, address, object, requestId, savedAt: clock.now() };
      const saved = await shelf.addToShelf(record, CAPACITY);
      if (saved === 'full') throw full();
      return saved;
    },
    list: (owner, page) => shelf.listShelf(owner, page),
    async findSaved(owner, urls) {
      if (urls.length === 0) return new Set();
      const addresses = [...new Set(urls.map(objectAddress))];
      const saved = new Set(await shelf.findOnShelf(owner, addresses));
      return new Set(urls.filter((url) => saved.has(objectAddress(url))));
    },
    remove: (owner, url) => shelf.removeFromShelf(owner, objectAddress(url)),
    clear: (owner) => shelf.clearShelf(owner),
  };
}

function full(): AppError {
  return new AppError(
    'SHELF_FULL',
    `There are ${CAPACITY} saved objects already, which is as many as there can be. Remove some, then save this one.`,
    { data: { capacity: CAPACITY } },
  );
}
