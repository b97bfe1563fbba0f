import fc from 'fast-check';
import { tiers } from '../../src/domain/answer.ts';
import type { ListEntry, Provider } from '../../src/domain/catalog.ts';
import type { LearningObject } from '../../src/domain/learning-object.ts';
import { bloomObjectives, learningObjectTypes } from '../../src/domain/learning-object.ts';
import {
  type LearningObjectQuery,
  type QueryFilter,
  sorts,
  wishKinds,
} from '../../src/domain/learning-object-query.ts';
import { objectMarks } from '../../src/domain/object-facts.ts';
import type { SearchAnswer, SuggestAnswer, TagSet, Term } from '../../src/ports/learning-service.ts';

/** What a person may write, at most 100 characters, without spaces around. */
export const texts = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.trim())
  .filter((text) => text !== '' && text.length <= 100 && !text.endsWith('!important') && !text.includes('\u0000'));

const hundredths = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100);
/** Of any number of decimals that a query can carry. */
const fractions = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).map((value) => (Math.abs(value) < 1e-3 ? 0 : value));
const langs = fc.constantFrom('en', 'fr');
const qualities = fc.constantFrom('A00' as const, 'B00' as const, 'C00' as const);

const range = (name: string, values: fc.Arbitrary<number>) =>
  fc.record({ [`${name}Min`]: values, [`${name}Max`]: values }, { requiredKeys: [] }).map((ends) => {
    const [min, max] = [ends[`${name}Min`], ends[`${name}Max`]];
    return min === undefined || max === undefined || min <= max ? ends : { [`${name}Min`]: max, [`${name}Max`]: min };
  });

const required = {
  keywords: texts,
  providers: texts.map((id) => [id]),
  types: fc.constant<string[]>([]),
  blooms: fc.constant<string[]>([]),
  sort: fc.constantFrom('popularity' as const, 'random' as const),
  match: fc.constantFrom('best-effort' as const, 'strict' as const),
  model: fc.constantFrom('strict' as const, 'extended' as const),
  max: fc.integer({ min: 1, max: 20 }),
  page: fc.integer({ min: 0, max: 10_000 }),
};

const optional = fc
  .tuple(
    range('age', fc.integer({ min: 0, max: 120 })),
    range('learningTime', fc.integer({ min: 0, max: 1_000_000 })),
    range('level', fractions(-1, 1)),
    fc.record({ publisher: texts, popularityMin: fractions(0, 1), free: fc.boolean() }, { requiredKeys: [] }),
    fc.option(fc.record({ address: texts, distanceMax: fc.integer({ min: 0, max: 20_000 }) }), { nil: {} }),
  )
  .map((parts) => Object.assign({}, ...parts) as Partial<LearningObjectQuery>);

/** Names only filters that the query has: no other `!important` can be written. */
function withImportant(query: Omit<LearningObjectQuery, 'important'>): fc.Arbitrary<LearningObjectQuery> {
  const isSet: Readonly<Record<QueryFilter, boolean>> = {
    lang: query.lang !== undefined,
    provider: query.providers.length > 0,
    type: query.types.length > 0,
    bloom: query.blooms.length > 0,
    age: query.ageMin !== undefined || query.ageMax !== undefined,
    learningTime: query.learningTimeMin !== undefined || query.learningTimeMax !== undefined,
    level: query.levelMin !== undefined || query.levelMax !== undefined,
    distance: query.address !== undefined,
    free: query.free !== undefined,
    popularity: query.popularityMin !== undefined,
    publisher: query.publisher !== undefined,
    has: (query.has ?? []).length > 0,
    newerThan: query.newerThan !== undefined,
  };
  const names = (Object.keys(isSet) as QueryFilter[]).filter((name) => isSet[name]);
  return fc.subarray(names).map((important) => ({ ...query, important: new Set(important) }));
}

/** Searches of one provider. */
export const queries: fc.Arbitrary<LearningObjectQuery> = fc
  .tuple(fc.record({ ...required, lang: langs }), optional)
  .chain(([must, may]) => withImportant({ ...must, ...may }));

/** Searches of our extension: no, one or several providers, types and Bloom objectives, of one or
 *  of every language. */
export const wideQueries: fc.Arbitrary<LearningObjectQuery> = fc
  .tuple(
    fc.record({
      ...required,
      providers: fc.array(texts, { maxLength: 3 }),
      types: fc.subarray<string>([...learningObjectTypes]),
      blooms: fc.subarray<string>([...bloomObjectives]),
      sort: fc.constantFrom(...sorts),
    }),
    fc.record(
      {
        lang: langs,
        without: fc.subarray([...wishKinds], { minLength: 1 }),
        has: fc.subarray([...objectMarks], { minLength: 1 }),
        newerThan: fc.constantFrom('2020-01-01', '2024-02-29'),
      },
      { requiredKeys: [] },
    ),
    optional,
  )
  .chain(([must, lang, may]) => withImportant({ ...must, ...lang, ...may }));

const names = fc.array(texts, { maxLength: 3 });
const amounts = hundredths(0, 500);

const learningObjects: fc.Arbitrary<LearningObject> = fc.record(
  {
    title: texts,
    url: fc.webUrl(),
    description: texts,
    picture: fc.webUrl(),
    embed: fc.webUrl(),
    license: fc.constantFrom('CC-BY-4.0', 'https://school.example/terms'),
    published: fc.constantFrom('2020', '2020-02-29'),
    teaches: fc.constant([{ uri: 'https://skills.example/1', label: 'First aid' }]),
    accessibilityFeature: fc.constantFrom(['captions'], ['captions', 'transcript']),
    provider: texts,
    bloom: fc.subarray([...bloomObjectives]),
    type: fc.subarray([...learningObjectTypes]),
    level: hundredths(-1, 1),
    lang: langs,
    learningTime: fc.record({ value: amounts, unit: fc.constantFrom('h' as const, 'min' as const) }),
    address: texts,
    publisher: names,
    author: names,
    price: fc.record({ amount: amounts, currency: texts, free: fc.boolean() }, { requiredKeys: ['free'] }),
  },
  { requiredKeys: ['title', 'url', 'bloom', 'type', 'publisher', 'author'] },
);

export const searchAnswers: fc.Arbitrary<SearchAnswer> = fc.record({
  requestId: texts,
  content: fc.array(learningObjects, { maxLength: 3 }),
  page: fc.nat(10_000),
  itemsPerPage: fc.integer({ min: 1, max: 20 }),
  totalItems: fc.nat(),
  hasMore: fc.boolean(),
  quality: qualities,
});

const counts = fc.array(fc.tuple(texts, fc.nat())).map((entries) => new Map(entries));

/** A beginning and, where the text has more, the rest but for one character. */
function rangesIn({ length }: string): fc.Arbitrary<readonly (readonly [number, number])[]> {
  const ranges = [[0, 1], ...(length > 2 ? [[2, length]] : [])] as [number, number][];
  return fc.subarray(length === 0 ? [] : ranges);
}

const highlightOf = ({ title, description = '' }: LearningObject) =>
  fc.record({ title: rangesIn(title), description: rangesIn(description) });

/** What is not in an answer. */
const gaps: fc.Arbitrary<Pick<SearchAnswer, 'missing' | 'isTotalExact'>> = fc.record(
  {
    missing: fc.array(fc.record({ id: texts, why: fc.constantFrom('late', 'failed', 'not-asked') }), {
      minLength: 1,
    }),
    isTotalExact: fc.constant(false),
  },
  { requiredKeys: [] },
);

/** Answers of our extension: all that can be asked for, and what one answer out of several searches
 *  needs. */
export const wideSearchAnswers: fc.Arbitrary<SearchAnswer> = fc
  .tuple(searchAnswers, gaps)
  .chain(([answer, missing]) => withDetails({ ...answer, ...missing }));

function withDetails(answer: SearchAnswer): fc.Arbitrary<SearchAnswer> {
  if (answer.content.length === 0) return fc.constant(answer);
  const { content, requestId } = answer;
  const size = { minLength: content.length, maxLength: content.length };
  const details = fc.record(
    {
      facets: fc.record({ provider: counts, type: counts, bloom: counts, lang: counts }),
      highlights: fc.tuple(...content.map(highlightOf)),
      tiers: fc.array(fc.constantFrom(...tiers), size).filter((own) => own.some((tier) => tier !== 'fitting')),
      requestIds: fc.array(texts, size).filter((ids) => ids.some((id) => id !== requestId)),
    },
    { requiredKeys: [] },
  );
  return details.map((given) => ({ ...answer, ...given }));
}

export const terms: fc.Arbitrary<Term[]> = fc.array(
  fc.record({ label: texts, source: texts, score: fractions(0, 1) }, { requiredKeys: ['label', 'source'] }),
);

export const tagSets: fc.Arbitrary<TagSet> = fc.record({
  tokenizedText: fc.string(),
  lang: langs,
  tags: names,
});

export const suggestAnswers: fc.Arbitrary<SuggestAnswer> = fc.record({
  keywordsTransformed: names,
  suggestions: fc.array(fc.record({ label: texts, score: fractions(0, 1) })),
  quality: qualities,
});

export const listEntries: fc.Arbitrary<ListEntry[]> = fc.array(fc.record({ value: texts, description: fc.string() }));

export const providers: fc.Arbitrary<Provider[]> = fc.array(
  fc.record(
    {
      id: texts,
      name: texts,
      url: fc.webUrl(),
      license: fc.webUrl(),
      logos: fc.array(
        fc.record({
          url: fc.webUrl(),
          colorScheme: fc.constantFrom('dark' as const, 'light' as const),
          aspectRatio: fc.constantFrom('landscape' as const, 'square' as const),
        }),
        { maxLength: 4 },
      ),
    },
    { requiredKeys: ['id', 'name', 'url', 'logos'] },
  ),
  { maxLength: 3 },
);
