import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { cleanText, foldText } from '#domain/text';
import type { Clock } from '#ports/clock';
import type { InsightCounts, InsightRecord, PeopleRepository, Store } from '#ports/store/store';
import type { Keyring } from './keyring.ts';

/** Number of people who must have used words before these are stored. */
const ENOUGH_PEOPLE = 3;
/** Time within which they must have used them. */
const WAITING_MS = 7 * 86_400_000;
/** Limit of the words of a tenant that wait for more people. */
const MAX_WAITING = 5_000;
/** Limit of the waiting words of one person in a day, so that a program leaves room for others. */
const MAX_OF_PERSON = 200;
const MAX_PEOPLE = 10_000;
/** Number of changes after which other work gets a turn. */
const BATCH = 20;

export interface WordFilterDeps extends Pick<Store, 'insight'> {
  readonly people: Pick<PeopleRepository, 'findPerson'>;
  readonly keyring: Pick<Keyring, 'mark'>;
  readonly clock: Clock;
}

/** Creates a filter for changes that may be stored. Words of too few people wait as hashes under
 *  the host's key: one of the words, and one of each person with these words, so that the waiting
 *  words of a person cannot be linked. */
export function createWordFilter({ insight, people, keyring, clock }: WordFilterDeps) {
  const countByPerson = new LRUCache<string, number>(limitEntries(MAX_PEOPLE));

  /** Lets words wait. Returns their record once enough people have used them, else nothing. */
  async function addPendingWords(change: InsightChange & { readonly person: string }): Promise<InsightRecord[]> {
    const { tenantId, day, name, asked, poor, empty, unopened } = change;
    const personKey = JSON.stringify([tenantId, day, change.person]);
    const count = countByPerson.get(personKey) ?? 0;
    if (count >= MAX_OF_PERSON) return [];
    countByPerson.set(personKey, count + 1);
    // Linked accounts count as one person.
    const linked = await people.findPerson({ tenantId, person: change.person });
    const person = linked?.shelfPerson ?? change.person;
    const pending = {
      tenantId,
      mark: keyring.mark(JSON.stringify([tenantId, name]), 'insight words'),
      person: keyring.mark(JSON.stringify([tenantId, name, person]), 'insight person'),
      asked,
      poor,
      empty,
      unopened,
    };
    const now = clock.now();
    const counts = await insight.addPendingSearch(pending, {
      people: ENOUGH_PEOPLE,
      maxPending: MAX_WAITING,
      now,
      expiresAt: new Date(now.getTime() + WAITING_MS),
    });
    return counts === null ? [] : [toInsightRecord({ ...change, ...noCounts, ...counts })];
  }

  return {
    async filter(changes: readonly InsightChange[]): Promise<readonly InsightRecord[]> {
      const stored = await findStoredSearches(insight, changes);
      const records: InsightRecord[] = [];
      for (const [number, change] of changes.entries()) {
        // The embedded store answers synchronously, and requests wait meanwhile.
        if (number % BATCH === BATCH - 1) await nextTurn();
        const { kind, tenantId, name, person } = change;
        const isStored = kind !== 'search' || person === null || stored.has(`${tenantId} ${name}`);
        const storable = isStored ? [toInsightRecord(change)] : await addPendingWords({ ...change, person });
        if (storable.length > 0) stored.add(`${tenantId} ${name}`);
        records.push(...storable);
      }
      return records;
    },
  };
}

/** Finds the searches of changes whose words are stored. @returns `<tenant id> <name>` */
async function findStoredSearches(
  insight: WordFilterDeps['insight'],
  changes: readonly InsightChange[],
): Promise<Set<string>> {
  const stored = new Set<string>();
  const searches = changes.filter(({ kind }) => kind === 'search');
  for (const tenantId of new Set(searches.map((change) => change.tenantId))) {
    const ofTenant = searches.filter((change) => change.tenantId === tenantId);
    const names = [...new Set(ofTenant.map(({ name }) => name))];
    for (const name of await insight.findExistingSearches(tenantId, names)) stored.add(`${tenantId} ${name}`);
  }
  return stored;
}

const toInsightRecord = ({ person: _, ...record }: InsightChange): InsightRecord => record;

export interface InsightChange extends InsightRecord {
  /** Null for an object, or for words that an administrator stores. */
  readonly person: string | null;
}

export const noCounts: InsightCounts = { asked: 0, poor: 0, empty: 0, unopened: 0, opened: 0, placed: 0, finished: 0 };

/** Limit of the stored words in characters. Three people hardly type the same longer text. */
const MAX_WORDS = 100;
const BLANKS = /\s+/g;
/** Numbers of seven or more digits, except a year after a colon, the edition of a standard. */
const NUMBER = /\p{Nd}(?:(?!:(?:19|20)\d\d(?!\d))[^\p{L}\p{Nd}]{0,3}\p{Nd}){6}/u;
/** E-mail addresses, also written as `ada (at) a.example` or `ada at a dot example`. */
const ADDRESS =
  /@|[([{<]\s*(?:a|at|arobase)\s*[)\]}>]|(?<!\p{L})(?:at|arobase)(?!\p{L}).*(?:\.\p{L}|(?<!\p{L})(?:dot|point)(?!\p{L}))/iu;

/** Returns the words of a search as they are counted (`name`) and shown (`title`); null for words
 *  that are not counted, as they may identify a person. */
export function readInsightWords(words: string): Pick<InsightRecord, 'name' | 'title'> | null {
  // NFKC replaces wide and other forms of letters and digits by the usual ones.
  const whole = cleanText(words.normalize('NFKC')).replace(BLANKS, ' ');
  const title = whole.slice(0, MAX_WORDS).trim();
  if (title === '' || NUMBER.test(whole) || ADDRESS.test(whole)) return null;
  return { name: foldText(title).slice(0, MAX_WORDS), title };
}
