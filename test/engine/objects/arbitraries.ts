import fc from 'fast-check';
import {
  documentMarks,
  type Expansion,
  type ObjectDocument,
  type ObjectFilters,
  type ObjectQuery,
} from '../../../src/engine/objects/types.ts';

/** Few enough for most queries to match something; with forms of one stem, accents, typos and
 *  beginnings of each other. */
const words = [
  'course', 'courses', 'cours', 'data', 'date', 'dates', 'donnée', 'données', 'donnees', 'base', 'python', 'pyhton',
  'pythons', 'database', 'infirmier', 'infirmières', "l'analyse", 'analysis', 'c', 'c++', 'c#', 'the', 'de', 'machine', 'machinery',
  'guide', 'trainin', // ask for learning beside others, or where nobody wrote them
]; // biome-ignore format: one line each would be a page

const word = fc.constantFrom(...words);
const text = (most: number) => fc.array(word, { maxLength: most }).map((list) => list.join(' '));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const place = { lat: fc.constantFrom(48.85, 45.76, -33.9), lon: fc.constantFrom(2.35, 4.84, 151.2) };
const langs = ['en', 'fr', 'xx'];
const providers = ['alpha', 'beta', 'gamma'];
const types = ['video', 'course', 'book'];
const blooms = ['apply', 'create'];
const publishers = ['Data Press', 'Press of Paris', '!'];
const topics = ['06', '0613', 'python'];
const levels = [-1, -0.1, 0, 0.1, 0.7, 1];

/** @param ids few, so that documents replace one another */
export const documentArbitrary = (ids: fc.Arbitrary<string>): fc.Arbitrary<ObjectDocument> =>
  fc
    .record({
      id: ids,
      title: text(4),
      keywords: fc.array(word, { maxLength: 2 }),
      description: text(8),
      publishers: fc.uniqueArray(fc.constantFrom(...publishers), { maxLength: 2 }),
      authors: fc.array(fc.constantFrom('Ada Python', 'Jean Cours'), { maxLength: 1 }),
      lang: fc.constantFrom(...langs),
      provider: fc.constantFrom(...providers),
      types: fc.uniqueArray(fc.constantFrom(...types), { maxLength: 2 }),
      blooms: fc.uniqueArray(fc.constantFrom(...blooms), { maxLength: 2 }),
      topics: optional(fc.uniqueArray(fc.constantFrom(...topics), { maxLength: 3 })),
      level: optional(fc.constantFrom(...levels)),
      minutes: optional(fc.constantFrom(10, 59.5, 60, 600)),
      popularity: optional(fc.constantFrom(0, 0.1, 0.5, 1)),
      ageMin: optional(fc.constantFrom(0, 6, 12, 18)),
      ageMax: optional(fc.constantFrom(18, 25, 120)),
      place: optional(fc.record(place)),
      free: optional(fc.boolean()),
      marks: optional(fc.subarray([...documentMarks], { minLength: 1 })),
      day: optional(fc.constantFrom(719_528, 738_000, 739_000)),
      isDead: optional(fc.constant(true)),
    })
    .map(({ place: where, ...facts }) => withoutUndefined({ ...facts, ...where }));

const strict = fc.boolean();
const isWish = fc.constantFrom(true, false);
const values = (list: readonly string[]) =>
  fc.record({
    values: fc.uniqueArray(fc.constantFrom(...list, 'nowhere'), { minLength: 1, maxLength: 2 }),
    strict,
    isWish,
  });
const range = (list: readonly number[]) =>
  fc
    .record({ min: optional(fc.constantFrom(...list)), max: optional(fc.constantFrom(...list)), strict })
    .map(withoutUndefined);

const filtersArbitrary: fc.Arbitrary<ObjectFilters> = fc
  .record(
    {
      provider: values(providers),
      type: values(types),
      bloom: values(blooms),
      lang: values(langs),
      topic: values(topics),
      publisher: fc.record({ name: fc.constantFrom('press', 'Data Press', '!', 'paris of'), strict }),
      age: range([0, 5, 6, 18, 25, 120]),
      learningTime: range([10, 59.5, 60]),
      level: range(levels),
      popularity: range([0.1, 0.5]),
      distance: fc.record({ ...place, km: fc.constantFrom(1, 391, 395, 20_000), strict }),
      free: fc.record({ value: fc.boolean(), strict, isWish }),
      marks: fc.record({ values: fc.subarray([...documentMarks], { minLength: 1 }), strict }),
      day: range([738_000, 738_500]),
    },
    { requiredKeys: [] },
  )
  .map(withoutUndefined);

const phrase = fc.record({
  words: fc.array(fc.constantFrom('donnees', 'base', 'data', 'python', 'de', 'course'), { maxLength: 3 }),
  lang: fc.constantFrom('en', 'fr'),
});
const expansionArbitrary: fc.Arbitrary<Expansion> = fc
  .record({
    start: fc.nat(2),
    length: fc.integer({ min: 1, max: 2 }),
    synonyms: fc.array(phrase, { maxLength: 2 }),
    related: fc.array(phrase, { maxLength: 2 }),
  })
  .map(({ start, length, ...rest }) => ({ start, end: start + length, ...rest }));

const keywords = fc
  .array(fc.oneof({ weight: 5, arbitrary: word }, fc.constantFrom('pyth', 'mach', 'cuorse', 'zzzz', 'da', 'pythn')), {
    maxLength: 4,
  })
  .map((list) => list.join(' '));

export const queryArbitrary: fc.Arbitrary<ObjectQuery> = fc
  .record({
    keywords,
    context: optional(keywords),
    instruction: optional(fc.constantFrom(...langs)),
    langs: optional(fc.uniqueArray(fc.constantFrom(...langs), { minLength: 1 })),
    prefer: optional(fc.constantFrom(...langs, 'xx')),
    model: fc.constantFrom('strict', 'extended'),
    filters: fc.oneof(fc.constant({}), filtersArbitrary),
    sort: fc.constantFrom('popularity', 'popularity', 'random', 'shortest', 'newest'),
    seed: optional(fc.constantFrom('monday', 'tuesday')),
    looseFrom: optional(fc.constantFrom(0, 0.1, 0.2)),
    prefix: optional(fc.boolean()),
    offset: fc.nat(4),
    limit: fc.integer({ min: 1, max: 6 }),
    details: optional(fc.boolean()),
    expansions: fc.array(expansionArbitrary, { maxLength: 2 }),
  })
  .map(({ expansions, ...query }) => withoutUndefined({ ...query, expand: () => expansions }) as ObjectQuery);

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
}
