import type { LearningObject } from '../domain/learning-object.ts';
import { objectAddress } from '../domain/object-address.ts';
import { AppError, type Problem } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  Page,
  PageRequest,
  ShelfOwner,
  ShelfRecord,
  ShelfRepository,
  TenantRepository,
} from '../ports/store.ts';
import { getActiveTenant } from './tenants/tenant-records.ts';

export interface FoundForShelf {
  readonly object: LearningObject;
  /** Of the search that found it, for feedback; null where it was not found by one. */
  readonly requestId: string | null;
}

/** Learning objects that people save for later, each once, whatever spelling its address has. */
export interface Shelf {
  /** `kept` where it was there already. Names of people have 1 to 300 characters; an object and the id of its search take
   *  64 kB of JSON at most. Errors: PARAMETERS_INVALID, TENANT_UNKNOWN, TENANT_DISABLED, SHELF_FULL. */
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
  readonly tenants: TenantRepository;
  readonly clock: Clock;
}

const CAPACITY = 500;
const MAX_PERSON_LENGTH = 300;
const MAX_KILOBYTES = 64;

export function createShelf({ shelf, tenants, clock }: ShelfDeps): Shelf {
  return {
    async save({ tenantId, person }, { object, requestId }) {
      refuseOversized(person, { object, requestId });
      await getActiveTenant(tenants, tenantId);
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

/** Faces give what others sent them, which is kept as it is. */
function refuseOversized(person: string, found: FoundForShelf): void {
  const problems: Problem[] = [];
  if (person.length < 1 || person.length > MAX_PERSON_LENGTH)
    problems.push({ path: 'person', problem: `must have 1 to ${MAX_PERSON_LENGTH} characters` });
  if (Buffer.byteLength(JSON.stringify(found)) > MAX_KILOBYTES * 1_024)
    problems.push({ path: 'object', problem: `must take at most ${MAX_KILOBYTES} kB with its search` });
  if (problems.length === 0) return;
  const said = problems.map(({ path, problem }) => `${path} ${problem}`).join(', ');
  throw new AppError('PARAMETERS_INVALID', `This cannot be saved: ${said}. Save another object.`, {
    problems,
  });
}

function full(): AppError {
  return new AppError(
    'SHELF_FULL',
    `There are ${CAPACITY} saved objects already, which is as many as there can be. Remove some, then save this one.`,
    { data: { capacity: CAPACITY } },
  );
}
