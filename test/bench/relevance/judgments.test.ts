import { describe, expect, test } from 'vitest';
import { type JudgedQuery, readJudgments, toSearch, withoutTwins } from '../../../bench/relevance/judgments.ts';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';

const judged = readJudgments('bench/judgments');
const { objects, providers } = readStarterCatalog('data');

describe('the judgments', () => {
  test('are of objects that are in the catalogue', () => {
    const urls = new Set(objects.map(({ url }) => url));
    const unknown = judged.flatMap(({ judgments }) => Object.keys(judgments).filter((url) => !urls.has(url)));
    expect(unknown).toEqual([]);
  });

  test('name types, objectives, languages and providers that there are', () => {
    const types = new Set<string>(objects.flatMap(({ type }) => type));
    const blooms = new Set<string>(objects.flatMap(({ bloom }) => bloom));
    const langs = new Set(objects.map(({ lang }) => lang));
    const ids = new Set(providers.map(({ id }) => id));
    for (const { filters = {}, lang } of judged) {
      expect(filters.types?.filter((type) => !types.has(type)) ?? []).toEqual([]);
      expect(filters.blooms?.filter((bloom) => !blooms.has(bloom)) ?? []).toEqual([]);
      expect(filters.providers?.filter((id) => !ids.has(id)) ?? []).toEqual([]);
      if (lang !== undefined) expect(langs).toContain(lang);
    }
  });

  test('are at least 200 different searches in two languages, a third of them held out, each with an answer', () => {
    const searches = judged.map(({ query, lang, filters }) => JSON.stringify([query, lang, filters]));
    expect(new Set(searches).size).toBe(judged.length);
    expect(judged.length).toBeGreaterThanOrEqual(200);
    expect(new Set(judged.map((one) => one.in))).toEqual(new Set(['en', 'fr']));
    const held = judged.filter(({ split }) => split === 'test').length;
    expect(Math.abs(held - judged.length / 3)).toBeLessThanOrEqual(1);
    expect(judged.filter(({ judgments }) => !Object.values(judgments).some((grade) => grade > 0))).toEqual([]);
  });
});

test('held out searches with the answers of a tuned one are told from the others', () => {
  const query = (name: string, split: 'tune' | 'test', answers: string): JudgedQuery => ({
    query: name,
    kinds: [],
    split,
    judgments: { ...Object.fromEntries([...answers].map((url) => [url, 2])), x: 1 },
  });
  const queries = [
    query('tuned', 'tune', 'abcd'),
    query('twin', 'test', 'abce'), // 3 of 5
    query('cousin', 'test', 'abef'), // 2 of 6
    query('stranger', 'test', ''),
  ];
  expect(withoutTwins(queries).map((one) => one.query)).toEqual(['cousin', 'stranger']);
});

test('a judged query stands for the search a person would make', () => {
  const search = toSearch({
    query: 'git',
    lang: 'fr',
    filters: { types: ['video'], free: true },
    kinds: [],
    split: 'tune',
    judgments: {},
  });
  expect(search).toMatchObject({
    keywords: 'git',
    lang: 'fr',
    types: ['video'],
    free: true,
    model: 'extended',
    match: 'best-effort',
  });
  expect(search).not.toHaveProperty('levelMax');
});
