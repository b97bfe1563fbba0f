import { levels } from '../../domain/learning-object-query.ts';
import type { Preferences } from '../../domain/person.ts';
import { AppError, type Problem } from '../../errors.ts';

const MAX_TYPES = 20;
const MAX_PROVIDERS = 50;
const MAX_VALUE_LENGTH = 100;

/** What is wrong with each field, wherever it comes from. */
const problemOf: { readonly [F in keyof Preferences]: (value: Preferences[F]) => string | null } = {
  locale: among(['en', 'fr']),
  lang: (value) => (value === null || /^[a-z]{2}$/.test(value) ? null : 'must be two small letters'),
  level: among(Object.keys(levels)),
  types: listed(MAX_TYPES),
  providers: listed(MAX_PROVIDERS),
  itemsPerPage: among([3, 5, 10]),
};

/** As they are kept: of lists, each value once. Errors: PARAMETERS_INVALID. */
export function checkedPreferences(given: Preferences): Preferences {
  const { locale, lang, level, itemsPerPage } = given;
  const [types, providers] = [once(given.types), once(given.providers)];
  const preferences = { locale, lang, level, types, providers, itemsPerPage };
  const problems = findProblems(preferences);
  if (problems.length === 0) return preferences;
  const said = problems.map(({ path, problem }) => `${path} ${problem}`).join(', ');
  throw new AppError('PARAMETERS_INVALID', `These preferences cannot be kept: ${said}. Choose others.`, {
    problems,
  });
}

function findProblems(preferences: Preferences): Problem[] {
  return Object.entries(problemOf).flatMap(([path, find]) => {
    const problem = (find as (value: unknown) => string | null)(preferences[path as keyof Preferences]);
    return problem === null ? [] : [{ path, problem }];
  });
}

function among<T>(values: readonly T[]): (value: T | null) => string | null {
  return (value) => (value === null || values.includes(value) ? null : `must be one of ${values.join(', ')}`);
}

function listed(max: number): (values: readonly string[]) => string | null {
  return (values) =>
    values.length <= max && values.every((value) => value !== '' && value.length <= MAX_VALUE_LENGTH)
      ? null
      : `must be at most ${max} of 1 to ${MAX_VALUE_LENGTH} characters`;
}

const once = (values: readonly string[]): string[] => [...new Set(values)];
