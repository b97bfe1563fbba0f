import { levels } from '#domain/learning-object-query';
import { locales, noPreferences, type Preferences, type RecentSearch } from '#domain/person';
import { AppError, type Problem } from '#errors';
import type { PeopleRepository, PersonRecord, ShelfOwner } from '#ports/store/store';

export type PersonChange = (record: PersonRecord) => PersonRecord;

/** Attempts to save a record: one fails only if another change succeeded. */
const ATTEMPTS = 20;

/** Returns the record of a person, with initial values if none is stored. */
export async function findPersonRecord(people: PeopleRepository, owner: ShelfOwner): Promise<PersonRecord> {
  return (await people.findPerson(owner)) ?? newPersonRecord(owner);
}

/** Stores what `change` returns, which is called again while others change the record.
 *  @returns the stored record. Errors: CHANGED_MEANWHILE after 20 attempts. */
export async function updatePersonRecord(people: PeopleRepository, owner: ShelfOwner, change: PersonChange) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const record = await findPersonRecord(people, owner);
    const changed = change(record);
    if (changed === record) return record;
    const next = { ...changed, version: record.version + 1 };
    if (await people.savePerson(next)) return next;
  }
  throw new AppError(
    'CHANGED_MEANWHILE',
    'This was changed in several places at once, so nothing was saved. Try again.',
  );
}

const newPersonRecord = ({ tenantId, person }: ShelfOwner): PersonRecord => ({
  tenantId,
  person,
  shelfPerson: person,
  preferences: noPreferences,
  recentSearches: [],
  savedSearches: [],
  version: 0,
});

const MAX_TYPES = 20;
const MAX_PROVIDERS = 50;
const MAX_VALUE_LENGTH = 100;

/** Functions that return the problem of the value of a field, or null. */
const checks: { readonly [F in keyof Preferences]: (value: Preferences[F]) => string | null } = {
  locale: createPreferenceChoiceCheck(locales),
  lang: (value) => (value === null || /^[a-z]{2}$/.test(value) ? null : 'must be two small letters'),
  level: createPreferenceChoiceCheck(Object.keys(levels)),
  types: createPreferenceListCheck(MAX_TYPES),
  providers: createPreferenceListCheck(MAX_PROVIDERS),
  itemsPerPage: createPreferenceChoiceCheck([3, 5, 10]),
};

/** Returns the preferences without repeated values. Errors: PARAMETERS_INVALID. */
export function validatePersonPreferences(typed: Preferences): Preferences {
  const { locale, lang, level, itemsPerPage } = typed;
  const types = [...new Set(typed.types)];
  const providers = [...new Set(typed.providers)];
  const preferences = { locale, lang, level, types, providers, itemsPerPage };
  const problems = findPreferenceProblems(preferences);
  if (problems.length === 0) return preferences;
  const list = problems.map(({ path, problem }) => `${path} ${problem}`).join(', ');
  throw new AppError('PARAMETERS_INVALID', `These preferences cannot be kept: ${list}. Choose others.`, { problems });
}

function findPreferenceProblems(preferences: Preferences): Problem[] {
  return Object.entries(checks).flatMap(([path, check]) => {
    const problem = (check as (value: unknown) => string | null)(preferences[path as keyof Preferences]);
    return problem === null ? [] : [{ path, problem }];
  });
}

function createPreferenceChoiceCheck<T>(values: readonly T[]): (value: T | null) => string | null {
  return (value) => (value === null || values.includes(value) ? null : `must be one of ${values.join(', ')}`);
}

function createPreferenceListCheck(max: number): (values: readonly string[]) => string | null {
  return (values) =>
    values.length <= max && values.every((value) => value !== '' && value.length <= MAX_VALUE_LENGTH)
      ? null
      : `must be at most ${max} of 1 to ${MAX_VALUE_LENGTH} characters`;
}

const MAX_SEARCHES = 10;
const MAX_LENGTH = 300;

/** Adds a search in front. The list has the last ten searches, each text once. */
export function addPersonRecentSearch(record: PersonRecord, { text: typed, searchedAt }: RecentSearch): PersonRecord {
  // Cut by code points, so that none is split.
  const text = [...typed.trim()].slice(0, MAX_LENGTH).join('');
  const earlier = record.recentSearches.filter((search) => search.text !== text);
  const recentSearches = text === '' ? earlier : [{ text, searchedAt }, ...earlier].slice(0, MAX_SEARCHES);
  return { ...record, recentSearches };
}

/** A page cannot show more. */
const MAX_SAVED_SEARCHES = 50;
const MAX_SAVED_LENGTH = 1_000;

/** Adds a search in front. Returns null at the limit: older searches never make room. */
export function addPersonSavedSearch(record: PersonRecord, text: string): PersonRecord | null {
  const { savedSearches } = record;
  if (savedSearches.includes(text)) return record;
  return savedSearches.length < MAX_SAVED_SEARCHES ? { ...record, savedSearches: [text, ...savedSearches] } : null;
}

/** Returns the same record if the search is not saved. */
export function removePersonSavedSearch(record: PersonRecord, text: string): PersonRecord {
  if (!record.savedSearches.includes(text)) return record;
  return { ...record, savedSearches: record.savedSearches.filter((search) => search !== text) };
}

/** Returns the search as it is stored. Errors: PARAMETERS_INVALID. */
export function validatePersonSearch(text: string): string {
  const search = text.trim();
  if (search !== '' && search.length <= MAX_SAVED_LENGTH) return search;
  throw new AppError('PARAMETERS_INVALID', `A search to save has 1 to ${MAX_SAVED_LENGTH} characters. Change it.`);
}
