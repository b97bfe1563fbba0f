import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { cleanText, foldText } from '#domain/text';
import type { Clock } from '#ports/clock';
import type { InsightCounts, InsightRecord, InsightRepository, PeopleRepository } from '#ports/store/store';
import type { Keyring } from './keyring.ts';

/** Different people who must have asked before words are kept. */
const ENOUGH_PEOPLE = 3;
/** Within this time. */
const WAITING_MS = 7 * 86_400_000;
/** Words of a tenant that wait for more people. */
const MOST_WAITING = 5_000;
/** Words that nobody else has asked for, by one person in a day, so that a program cannot keep those of people out. */
const MOST_OF_ONE = 200;
const MOST_PEOPLE = 10_000;
/** Changes after which requests are answered. */
const BATCH = 20;

export interface KeptWordsDeps {
  readonly insight: InsightRepository;
  readonly people: Pick<PeopleRepository, 'findPerson'>;
  readonly keyring: Pick<Keyring, 'mark'>;
  readonly clock: Clock;
}

/** What of these changes may be stored. Words that are not known yet wait, as marks that only the host's key can make: of the words,
 *  and of each person beside these words only, so that nothing tells what else a person asked for. */
export function createKeptWords({ insight, people, keyring, clock }: KeptWordsDeps) {
  const asked = new LRUCache<string, number>(limitEntries(MOST_PEOPLE));

  async function wait(change: InsightChange & { readonly person: string }): Promise<InsightRecord[]> {
    const { tenantId, day, name, asked: isAsked, poor, empty, unopened } = change;
    const place = JSON.stringify([tenantId, day, change.person]);
    const count = asked.get(place) ?? 0;
    if (count >= MOST_OF_ONE) return [];
    asked.set(place, count + 1);
    // Accounts of one person that were linked are one person.
    const linked = await people.findPerson({ tenantId, person: change.person });
    const person = linked?.shelfPerson ?? change.person;
    const waiting = {
      tenantId,
      mark: keyring.mark(JSON.stringify([tenantId, name]), 'insight words'),
      person: keyring.mark(JSON.stringify([tenantId, name, person]), 'insight person'),
      ...{ asked: isAsked, poor, empty, unopened },
    };
    const now = clock.now();
    const waited = await insight.addWaitingSearch(waiting, {
      people: ENOUGH_PEOPLE,
      most: MOST_WAITING,
      now,
      expiresAt: new Date(now.getTime() + WAITING_MS),
    });
    return waited === null ? [] : [toRecord({ ...change, ...noCounts, ...waited })];
  }

  /** Which of the words are known, as `<tenant> <words>`. */
  async function findKnown(changes: readonly InsightChange[]): Promise<Set<string>> {
    const known = new Set<string>();
    const searches = changes.filter(({ kind }) => kind === 'search');
    for (const tenantId of new Set(searches.map((change) => change.tenantId))) {
      const own = searches.filter((change) => change.tenantId === tenantId);
      const names = [...new Set(own.map(({ name }) => name))];
      for (const name of await insight.findKnownSearches(tenantId, names)) known.add(`${tenantId} ${name}`);
    }
    return known;
  }

  return {
    async filter(changes: readonly InsightChange[]): Promise<readonly InsightRecord[]> {
      const known = await findKnown(changes);
      const records: InsightRecord[] = [];
      for (const [number, change] of changes.entries()) {
        // The embedded store answers at once, and requests wait meanwhile.
        if (number % BATCH === BATCH - 1) await nextTurn();
        const { kind, tenantId, name, person } = change;
        const isKnown = kind === 'object' || person === null || known.has(`${tenantId} ${name}`);
        const given = isKnown ? [toRecord(change)] : await wait({ ...change, person });
        if (given.length > 0) known.add(`${tenantId} ${name}`);
        records.push(...given);
      }
      return records;
    },
  };
}

function toRecord({ person: _, ...record }: InsightChange): InsightRecord {
  return record;
}

/** Something that was counted, with who asked, as long as it is not stored. */
export interface InsightChange extends InsightRecord {
  /** Null where it says nothing of anybody: an object, or words that an administrator keeps. */
  readonly person: string | null;
}

export const noCounts: InsightCounts = {
  ...{ asked: 0, poor: 0, empty: 0, unopened: 0 },
  ...{ opened: 0, placed: 0, finished: 0 },
};

/** Characters. Three people rarely type the same long text, and whoever pastes one means nobody else. */
const MAX_WORDS = 100;
const BLANKS = /\s+/g;
/** Numbers that stand for somebody: no matter how many ask, they are not kept. However they are separated, but not by words. A year
 *  after a colon is the edition of a standard. */
const NUMBER = /\p{Nd}(?:(?!:(?:19|20)\d\d(?!\d))[^\p{L}\p{Nd}]{0,3}\p{Nd}){6}/u;
/** Addresses, also as people write them for people: `ada (at) a.example`, `ada at a dot example`. */
const ADDRESS =
  /@|[([{<]\s*(?:a|at|arobase)\s*[)\]}>]|(?<!\p{L})(?:at|arobase)(?!\p{L}).*(?:\.\p{L}|(?<!\p{L})(?:dot|point)(?!\p{L}))/iu;

/** Words of a search as they are counted and shown; null for those that are not counted. */
export function readInsightWords(words: string): Pick<InsightRecord, 'name' | 'title'> | null {
  // Wide and other forms of letters and figures say the same as the usual ones.
  const whole = cleanText(words.normalize('NFKC')).replace(BLANKS, ' ');
  const title = whole.slice(0, MAX_WORDS).trim();
  if (title === '' || NUMBER.test(whole) || ADDRESS.test(whole)) return null;
  return { name: foldText(title).slice(0, MAX_WORDS), title };
}
