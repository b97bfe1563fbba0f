import { describe, expect, test } from 'vitest';
import { findSkills } from '../../../../src/services/searching/discovery/skills.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { errorOf, useRemote } from '../../../adapters/remote/start-remote.ts';
import { answersOf } from './discovery-parts.ts';

describe('with our own engine', () => {
  const answers = answersOf(openStarterService().learning);

  test('terms are grouped by taxonomy, the group with the best term first', async () => {
    const { groups, terms } = await findSkills(answers, { keywords: 'data analysis', lang: 'en' });
    const best = groups.map((group) => group.terms[0]!.score!);
    expect(groups.length).toBeGreaterThan(1);
    expect(best).toEqual(best.toSorted((a, b) => b - a));
    expect(terms[0]).toMatchObject({ label: 'data analysis', source: groups[0]!.taxonomy });
    const scores = terms.map(({ score }) => score!);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { taxonomy, terms: members } of groups)
      expect(new Set(members.map(({ source }) => source))).toEqual(new Set([taxonomy]));
  });

  test.each([
    ['data analysis', 'en'],
    ['analyse de données', 'fr'],
    ['boulanger', 'fr'],
    ['Buchhaltung', 'de'],
    ['contabilidad', 'es'],
    ['qwxzk', 'en'],
  ])('"%s" is looked for in the language in which it is found best, %s', async (keywords, lang) => {
    expect((await findSkills(answers, { keywords })).lang).toBe(lang);
  });

  test('a given language is kept', async () => {
    const found = await findSkills(answers, { keywords: 'data analysis', lang: 'fr' });
    expect(found.lang).toBe('fr');
    expect(found.terms[0]!.label).toBe('analyse de données');
  });

  test.each([
    // French finds it better: `analyse` is a label there.
    ['I am a nurse who wants to move into data analysis', 'en', 'en'],
    ['data analysis', 'fr', 'fr'],
    ['boulanger', 'en', 'en'],
    ['qwxzk', 'fr', 'en'],
  ])('"%s" for somebody who speaks %s: terms in %s', async (keywords, prefer, lang) => {
    expect((await findSkills(answers, { keywords, prefer })).lang).toBe(lang);
    expect((await findSkills(answers, { keywords, prefer: 'en', lang: 'fr' })).lang).toBe('fr');
  });

  test('other words are suggested', async () => {
    const { suggestions } = await findSkills(answers, { keywords: 'photographi' });
    expect(suggestions.map(({ label }) => label)).toContain('photographie');
  });

  test.each([3, 25])('there are at most %i terms over all taxonomies', async (max) => {
    const { groups } = await findSkills(answers, { keywords: 'management', max });
    expect(groups.flatMap((group) => group.terms)).toHaveLength(max);
  });
});

describe('with an upstream', () => {
  const remote = useRemote();
  const answers = () => answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
  const labels = (terms: readonly { readonly label: string }[]) => terms.map(({ label }) => label);

  test('terms without a score stay where the service has them', async () => {
    const { groups, terms, source } = await findSkills(answers(), { keywords: 'data', lang: 'en' });
    expect(labels(terms)).toEqual(['Data analysis', 'Data analytics', 'Analyste de données']);
    expect(groups.map(({ taxonomy }) => taxonomy)).toEqual(['Own index', 'Synonyms', 'ROME']);
    expect(source.upstream).toBe('upstream.example');
  });

  test('a label that several taxonomies have is once in the terms, and in each group', async () => {
    const twice = [
      { label: 'Boulangerie', source: 'ROME', score: 0.5 },
      { label: 'boulangerie', source: 'ESCO', score: 0.9 },
    ];
    remote.upstream.reply('similar', { body: { statusCode: 200, response: twice } });
    const { groups, terms } = await findSkills(answers(), { keywords: 'pain', lang: 'fr' });
    expect(labels(terms)).toEqual(['boulangerie']);
    expect(groups.map(({ taxonomy }) => taxonomy)).toEqual(['ESCO', 'ROME']);
  });

  test('a number of terms is nothing that a service is asked for', async () => {
    const { terms } = await findSkills(answers(), { keywords: 'data', lang: 'en', max: 2 });
    expect(terms).toHaveLength(2);
  });

  test('suggestions that fail are left out', async () => {
    remote.upstream.reply('suggest', { status: 500, body: {} });
    const found = await findSkills(answers(), { keywords: 'data', lang: 'en' });
    expect(found.suggestions).toEqual([]);
    expect(found.terms).toHaveLength(3);
  });

  test('one language that fails leaves the other one', async () => {
    remote.upstream.reply('similar', { status: 400, body: {} }, {});
    expect((await findSkills(answers(), { keywords: 'data' })).terms).toHaveLength(3);
  });

  test.each([
    ['has nothing', { body: { statusCode: 200, response: [] } }],
    ['fails', { status: 400, body: {} }],
  ])('where the preferred language %s, the others are asked', async (_, reply) => {
    remote.upstream.reply('similar', reply, {});
    const request = { keywords: 'data', prefer: 'fr' };
    expect((await findSkills(answers(), request)).terms).toHaveLength(3);
  });

  test('where the service cannot answer now, it is not asked for the others', async () => {
    remote.upstream.reply('similar', { status: 503, body: {} });
    const request = { keywords: 'data', prefer: 'fr' };
    expect((await errorOf(findSkills(answers(), request))).kind).toBe('unavailable');
    const asked = remote.upstream.requests.filter(({ operation }) => operation === 'similar');
    expect(new Set(asked.map(({ query }) => query.lang))).toEqual(new Set(['fr']));
  });

  test('it fails as the terms do', async () => {
    remote.upstream.reply('similar', { status: 400, body: {} });
    expect((await errorOf(findSkills(answers(), { keywords: 'data' }))).code).toBe('PARAMETERS_INVALID');
  });

  test('whoever gives up gets no answer', async () => {
    remote.upstream.reply('suggest', { status: 500, body: {} });
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(findSkills(answers(), { keywords: 'data', lang: 'en' }, { signal })).rejects.toThrow();
  });
});
