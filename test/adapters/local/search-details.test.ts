import { describe, expect, test } from 'vitest';
import { searchFor, searchPages, searchUrls } from './services.ts';
import { openStarterService, readStarterRecords } from './starter-service.ts';

const { learning } = openStarterService();
const records = readStarterRecords();

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, count) => all + count, 0);

test('answers with the fields of the record and the name of its provider', async () => {
  const names = new Map((await learning.ask('listProviders', {})).map(({ id, name }) => [id, name]));
  for (const { content } of await searchPages(learning, searchFor('python'))) {
    for (const object of content) {
      const { provider, free, ...record } = records.get(object.url)!;
      const { title, description, type, bloom, lang, publisher, author } = record;
      expect(object).toMatchObject({ title, description, type, bloom, lang, publisher, author });
      expect(object.provider).toBe(names.get(provider));
      expect(object.price).toEqual(free === undefined ? undefined : { free });
      expect([object.level, object.learningTime, object.address, object.picture, object.embed]).toEqual([
        record.level,
        record.learningTime,
        record.address,
        record.picture,
        record.embed,
      ]);
    }
  }
});

describe('highlights', () => {
  test.each(['python', 'machine learning', 'numérique responsable', 'fotografía', 'schülerlabor'])(
    'of %s are parts of the texts, in order, and mark the words',
    async (keywords) => {
      const { content, highlights } = await learning.ask('searchProvider', searchFor(keywords), {
        withDetails: true,
      });
      expect(highlights).toHaveLength(content.length);
      for (const [i, { title, description }] of content.entries()) {
        for (const [text, ranges] of [
          [title, highlights![i]!.title],
          [description!, highlights![i]!.description],
        ] as const) {
          let last = 0;
          for (const [start, end] of ranges) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            last = end;
          }
        }
      }
    },
  );

  test('mark the searched word in the title of the best result', async () => {
    const { content, highlights } = await learning.ask('searchProvider', searchFor('python', { lang: 'en' }), {
      withDetails: true,
    });
    const [[start, end] = [0, 0]] = highlights![0]!.title;
    expect(content[0]!.title.slice(start, end).toLowerCase()).toBe('python');
  });
});

describe('facets', () => {
  test('count each result once by provider and language, and once or more by type and objective', async () => {
    const { facets, totalItems } = await learning.ask('searchProvider', searchFor('python'), {
      withDetails: true,
    });
    expect([sum(facets!.provider), sum(facets!.lang)]).toEqual([totalItems, totalItems]);
    expect(sum(facets!.type)).toBeGreaterThanOrEqual(totalItems);
    expect(sum(facets!.bloom)).toBeGreaterThanOrEqual(totalItems);
  });

  test('are the totals with each value as a filter', async () => {
    const { facets } = await learning.ask('searchProvider', searchFor('python'), { withDetails: true });
    const strict = { match: 'strict' } as const;
    for (const [type, count] of facets!.type) {
      expect(await searchUrls(learning, searchFor('python', { ...strict, types: [type] }))).toHaveLength(count);
    }
    for (const [lang, count] of facets!.lang) {
      const { totalItems } = await learning.ask('searchProvider', searchFor('python', { lang, ...strict }), {
        withDetails: true,
      });
      // In a known language its own stemmer alone is used, so a word of another language may drop out.
      expect(totalItems).toBeLessThanOrEqual(count);
      expect(totalItems).toBeGreaterThan(0);
    }
  });

  test('ignore the filter on their own field', async () => {
    const all = await learning.ask('searchProvider', searchFor('python'), { withDetails: true });
    const chosen = await learning.ask('searchProvider', searchFor('python', { providers: ['edx'] }), {
      withDetails: true,
    });
    expect(chosen.facets!.provider).toEqual(all.facets!.provider);
    expect(sum(chosen.facets!.lang)).toBe(chosen.totalItems);
    expect(chosen.totalItems).toBe(all.facets!.provider.get('edx'));
  });
});

test('facets and highlights are returned on request only', async () => {
  const answer = await learning.ask('searchProvider', searchFor('python'));
  expect(answer.content.length).toBeGreaterThan(0);
  expect(Object.keys(answer)).not.toEqual(expect.arrayContaining(['facets']));
  expect(answer).not.toHaveProperty('highlights');
});
