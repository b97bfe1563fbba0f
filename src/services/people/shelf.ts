import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { AppError, type Problem } from '#errors';
import type { Clock } from '#ports/clock';
import type { PageRequest, PeopleRepository, ShelfOwner, ShelfRecord, Store } from '#ports/store/store';
import { getActiveTenant } from '#services/tenants/tenant-records';

/** Maximum number of objects on one shelf. */
export const SHELF_CAPACITY = 500;

export interface ShelfCandidate {
  readonly object: LearningObject;
  /** ID of the search that found it, for feedback; null if there was none. */
  readonly requestId: string | null;
}

export interface ShelfDeps extends Pick<Store, 'shelf' | 'tenants'> {
  readonly people: Pick<PeopleRepository, 'findPerson'>;
  readonly clock: Clock;
}

const MAX_PERSON_LENGTH = 300;
const MAX_KILOBYTES = 64;
/** Attempts to save while somebody links or unlinks the shelf. */
const ATTEMPTS = 5;

/** Stores objects, each once however its address is spelled. Linked accounts share a shelf. */
export function createShelf({ shelf, people, tenants, clock }: ShelfDeps) {
  const resolveOwner = (owner: ShelfOwner) => resolveShelfOwner(people, owner);

  /** Saves again if the person got another shelf meanwhile. Errors: SHELF_FULL. */
  async function addToShelf(owner: ShelfOwner, record: Omit<ShelfRecord, 'person'>): Promise<'added' | 'kept'> {
    let shelfOwner = await resolveOwner(owner);
    for (let attempt = 1; ; attempt++) {
      const saved = await shelf.addToShelf({ ...record, person: shelfOwner.person }, SHELF_CAPACITY);
      const newOwner = await resolveOwner(owner);
      if (newOwner.person !== shelfOwner.person && attempt < ATTEMPTS) {
        if (saved === 'added') await shelf.removeFromShelf(shelfOwner, record.address);
        shelfOwner = newOwner;
        continue;
      }
      if (saved !== 'full') return saved;
      throw createShelfFullError(
        `There are ${SHELF_CAPACITY} saved objects already, which is as many as there can be. Remove some, then save this one.`,
      );
    }
  }

  return {
    /** Returns `kept` if the object was saved already. The name of a person has 1 to 300
     *  characters; an object with its request ID takes at most 64 kB of JSON.
     *  Errors: PARAMETERS_INVALID, TENANT_UNKNOWN, TENANT_DISABLED, SHELF_FULL. */
    async save({ tenantId, person }: ShelfOwner, { object, requestId }: ShelfCandidate): Promise<'added' | 'kept'> {
      refuseOversized(person, { object, requestId });
      await getActiveTenant(tenants, tenantId);
      const address = normalizeObjectAddress(object.url);
      return addToShelf({ tenantId, person }, { tenantId, address, object, requestId, savedAt: clock.now() });
    },
    /** Returns a page of saved objects, newest first. */
    list: async (owner: ShelfOwner, page: PageRequest) => shelf.listShelf(await resolveOwner(owner), page),
    /** Returns those of these addresses whose objects are saved. */
    async findSaved(owner: ShelfOwner, urls: readonly string[]): Promise<ReadonlySet<string>> {
      if (urls.length === 0) return new Set();
      const addresses = [...new Set(urls.map(normalizeObjectAddress))];
      const saved = new Set(await shelf.findOnShelf(await resolveOwner(owner), addresses));
      return new Set(urls.filter((url) => saved.has(normalizeObjectAddress(url))));
    },
    remove: async (owner: ShelfOwner, url: string) =>
      shelf.removeFromShelf(await resolveOwner(owner), normalizeObjectAddress(url)),
    clear: async (owner: ShelfOwner) => shelf.clearShelf(await resolveOwner(owner)),
  };
}

/** Checks what other programs sent, as it is stored unchanged. Errors: PARAMETERS_INVALID. */
function refuseOversized(person: string, candidate: ShelfCandidate): void {
  const problems: Problem[] = [];
  if (person.length < 1 || person.length > MAX_PERSON_LENGTH)
    problems.push({ path: 'person', problem: `must have 1 to ${MAX_PERSON_LENGTH} characters` });
  if (Buffer.byteLength(JSON.stringify(candidate)) > MAX_KILOBYTES * 1_024)
    problems.push({ path: 'object', problem: `must take at most ${MAX_KILOBYTES} kB with its search` });
  if (problems.length === 0) return;
  const list = problems.map(({ path, problem }) => `${path} ${problem}`).join(', ');
  throw new AppError('PARAMETERS_INVALID', `This cannot be saved: ${list}. Save another object.`, { problems });
}

export const createShelfFullError = (message: string): AppError =>
  new AppError('SHELF_FULL', message, { data: { capacity: SHELF_CAPACITY } });

/** Returns under whose name the shelf is stored: the person's, or that of a linked account. */
async function resolveShelfOwner(people: Pick<PeopleRepository, 'findPerson'>, owner: ShelfOwner): Promise<ShelfOwner> {
  const record = await people.findPerson(owner);
  return { tenantId: owner.tenantId, person: record?.shelfPerson ?? owner.person };
}
