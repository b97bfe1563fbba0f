import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Quality } from '#domain/answer';
import type { LearningObject } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import type { Launch } from '#domain/lti/launch';
import type { Clock } from '#ports/clock';
import { type InsightQuery, insightCounters } from '#ports/store/insight';
import type { InsightCounts, InsightSum } from '#ports/store/store';
import { bindState } from './bind-state.ts';
import type { InsightChange, WordFilterDeps } from './insight-words.ts';
import { createWordFilter, noCounts, readInsightWords } from './insight-words.ts';
import { repeatWork } from './repeated-work.ts';

export interface SearchNote extends AskedSearch {
  readonly result: { readonly totalItems: number; readonly quality: Quality };
  /** Whether the face reports which objects are opened. */
  readonly isWatched: boolean;
}

export interface AskedSearch {
  readonly tenantId: string;
  readonly words: string;
  /** Identifies a person of the tenant, a network address, or all programs. Never stored. */
  readonly person: string;
}

export type UsePlace = Pick<Launch, 'registrationId' | 'platformOrigin' | 'context'>;
export const objectCounters = ['opened', 'placed', 'finished'] as const;
type ObjectCounter = (typeof objectCounters)[number];

export type TopRequest = Omit<InsightQuery, 'firstDay' | 'lastDay'> & { readonly days: number };

export type InsightDeps = WordFilterDeps & { onProblem(error: unknown): void };
export const INSIGHT_DAYS = 90;
const DAY_MS = 86_400_000;
const FLUSH_MS = 2_000;
/** Limit of the changes between two flushes; a host with more searches counts a sample. */
const MAX_GATHERED = 1_000;
/** Limit of the records of one kind, tenant and day. */
const MAX_RECORDS_A_DAY = 2_000;
const MAX_ADDRESS = 2_000;
const MAX_TITLE = 300;
/** Numbers of records that are added and removed at a time, with requests in between. */
const ADDED_AT_ONCE = 50;
const REMOVED_AT_ONCE = 500;

interface State extends InsightDeps {
  readonly recent: RecentSearches;
  readonly wordFilter: ReturnType<typeof createWordFilter>;
  /** Changes until the next flush; those without a person are summed up. */
  gathered: Map<string | symbol, InsightChange>;
  /** The last flush; flushes run one after the other. */
  storing: Promise<void>;
  isClosed: boolean;
}

/** Counts of searches and used objects, without persons. Counts are gathered before they are
 *  stored, so that a search does not wait; what cannot be stored is dropped. Repeated words of a
 *  person count once in half an hour. Words are stored once three people used them in a week. */
export function createInsight(deps: InsightDeps) {
  const state: State = {
    ...deps,
    recent: createRecentSearches(deps.clock),
    wordFilter: createWordFilter(deps),
    gathered: new Map(),
    storing: Promise.resolve(),
    isClosed: false,
  };
  const flushTimer = setInterval(() => void flush(state), FLUSH_MS).unref();
  const { onProblem } = deps;
  const removal = repeatWork({ everyMs: DAY_MS, runsAtOnce: true, run: () => removeOld(state), onProblem });
  return {
    ...bindState(state, {
      noteSearch,
      noteOpened,
      noteObject,
      noteKey,
      keepWords,
      countObject,
      listTop,
      flush,
      removeOld,
    }),
    /** Starts to remove counts of more than 90 days ago, once a day. */
    start: removal.start,
    async close(): Promise<void> {
      state.isClosed = true;
      clearInterval(flushTimer);
      await removal.stop();
      await flush(state);
    },
  };
}

export type Insight = ReturnType<typeof createInsight>;

/** Counts a search. Call it for the first page only. */
function noteSearch(state: State, { tenantId, words, person, result, isWatched }: SearchNote): void {
  const read = readInsightWords(words);
  const empty = result.totalItems === 0 ? 1 : 0;
  const canBeOpened = isWatched && empty === 0;
  if (read === null || !state.recent.begin({ tenantId, person, name: read.name }, canBeOpened)) return;
  const poor = result.quality === 'A00' ? empty : 1;
  const unopened = canBeOpened ? 1 : 0;
  gatherChange(state, { kind: 'search', tenantId, person, ...read, ...noCounts, asked: 1, empty, poor, unopened });
}

/** Counts that a person opened a result of a search. */
function noteOpened(state: State, { tenantId, words, person }: AskedSearch): void {
  const read = readInsightWords(words);
  if (read === null || !state.recent.open({ tenantId, person, name: read.name })) return;
  gatherChange(state, { kind: 'search', tenantId, person, ...read, ...noCounts, unopened: -1 });
}

/** Counts a use of an object, also for the platform and the course of `place`.
 *  @param options.by -1 if the use was undone */
function noteObject(
  state: State,
  tenantId: string,
  counter: ObjectCounter,
  { url: name, title }: Pick<LearningObject, 'url' | 'title'>,
  { place, by = 1 }: { readonly place?: UsePlace; readonly by?: 1 | -1 } = {},
): void {
  const uses = place === undefined ? [] : listPlaces(place);
  if (name.length <= MAX_ADDRESS) uses.push({ kind: 'object', name, title: title.slice(0, MAX_TITLE) });
  for (const use of uses) gatherChange(state, { ...use, tenantId, person: null, ...noCounts, [counter]: by });
}

function noteKey(state: State, tenantId: string, keyId: string): void {
  gatherChange(state, { kind: 'key', tenantId, person: null, name: keyId, title: keyId, ...noCounts, asked: 1 });
}

/** Stores words of an administrator, so that searches with them are counted from then on. */
function keepWords(state: State, tenantId: string, words: string): void {
  const read = readInsightWords(words);
  if (read !== null) gatherChange(state, { kind: 'search', tenantId, person: null, ...read, ...noCounts });
}

/** Returns how often an object was opened, placed and finished in the last 90 days. */
async function countObject(state: State, tenantId: string, name: string): Promise<Pick<InsightCounts, ObjectCounter>> {
  for (const by of objectCounters) {
    const request = { scope: [tenantId], kind: 'object', by, name, days: INSIGHT_DAYS, limit: 1 } as const;
    const [sum] = await listTop(state, request);
    if (sum !== undefined) return sum;
  }
  return noCounts;
}

function listPlaces({ registrationId, platformOrigin, context }: UsePlace) {
  const uses: Pick<InsightChange, 'kind' | 'name' | 'title'>[] = [
    { kind: 'platform', name: registrationId, title: platformOrigin.replace(/^https?:\/\//, '') },
  ];
  if (context !== null) {
    const title = (context.title ?? context.label ?? context.id).slice(0, MAX_TITLE);
    uses.push({ kind: 'course', name: `${registrationId} ${context.id}`, title });
  }
  return uses;
}

function gatherChange({ gathered, clock }: State, change: Omit<InsightChange, 'day'>): void {
  const day = insightDayOf(clock.now());
  const { kind, tenantId, name, person } = change;
  const key = person === null ? JSON.stringify([kind, tenantId, name, day]) : Symbol();
  const before = gathered.get(key);
  if (before === undefined && gathered.size >= MAX_GATHERED) return;
  const sums = before && insightCounters.map((counter) => [counter, before[counter] + change[counter]]);
  gathered.set(key, { ...change, ...(sums && (Object.fromEntries(sums) as InsightCounts)), day });
}

function flush(state: State): Promise<void> {
  state.storing = state.storing.then(() => storeGathered(state)).catch(state.onProblem);
  return state.storing;
}

async function storeGathered(state: State): Promise<void> {
  const changes = [...state.gathered.values()];
  state.gathered = new Map();
  if (changes.length === 0) return;
  const records = await state.wordFilter.filter(changes);
  for (let start = 0; start < records.length; start += ADDED_AT_ONCE) {
    await state.insight.addInsight(records.slice(start, start + ADDED_AT_ONCE), MAX_RECORDS_A_DAY);
    await nextTurn();
  }
}

async function removeOld(state: State): Promise<void> {
  const now = state.clock.now();
  const firstDay = insightDayOf(new Date(now.getTime() - (INSIGHT_DAYS - 1) * DAY_MS));
  while (!state.isClosed && (await state.insight.removeOldInsight(firstDay, now, REMOVED_AT_ONCE))) await nextTurn();
}

/** Lists the highest counts first, of the last `days` (1 to 90) including today. */
async function listTop(state: State, { days, ...query }: TopRequest): Promise<readonly InsightSum[]> {
  await flush(state);
  const now = state.clock.now();
  const firstDay = insightDayOf(new Date(now.getTime() - (days - 1) * DAY_MS));
  const sums = await state.insight.listTopInsight({ ...query, firstDay, lastDay: insightDayOf(now) });
  // A search before the first day, or on a host that dropped it, may have been opened since.
  return sums.map((sum) => ({ ...sum, unopened: Math.max(0, sum.unopened) }));
}

const insightDayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Remembers who searched for which words in the last half hour, in this process only: changing a
 *  filter is not another search, and opening two objects is one successful search. */
type RecentSearches = ReturnType<typeof createRecentSearches>;

type PersonSearch = { readonly tenantId: string; readonly person: string; readonly name: string };
const MAX_SEARCHES = 10_000;
const HALF_HOUR_MS = 30 * 60_000;

function createRecentSearches(clock: Clock) {
  const searches = new LRUCache<string, { readonly at: number; readonly canBeOpened: boolean }>(
    limitEntries(MAX_SEARCHES),
  );
  const keyOf = ({ tenantId, person, name }: PersonSearch) => JSON.stringify([tenantId, person, name]);
  return {
    /** Returns false if the person has searched for these words already.
     *  @param canBeOpened whether the face reports which objects are opened */
    begin(search: PersonSearch, canBeOpened: boolean): boolean {
      const key = keyOf(search);
      const at = clock.now().getTime();
      const earlier = searches.get(key);
      if (earlier !== undefined && at - earlier.at < HALF_HOUR_MS) return false;
      searches.set(key, { at, canBeOpened });
      return true;
    },
    /** Returns true for the first opened object of a countable search, also of another host's. */
    open(search: PersonSearch): boolean {
      const key = keyOf(search);
      // Whatever its age, a search counts as opened once.
      const { at, canBeOpened } = searches.get(key) ?? { at: clock.now().getTime(), canBeOpened: true };
      searches.set(key, { at, canBeOpened: false });
      return canBeOpened;
    },
  };
}
