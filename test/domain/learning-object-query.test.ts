import { expect, test } from 'vitest';
import { createLearningObjectQuery } from '../../src/domain/learning-object-query.ts';
import { initialDefaults, type SearchDefaults } from '../../src/domain/tenant.ts';

test('a new tenant searches everything', () => {
  const query = createLearningObjectQuery('python', initialDefaults);
  expect(query).toMatchObject({ keywords: 'python', providers: [], model: 'extended', match: 'best-effort' });
  expect(query).toMatchObject({ max: 10, page: 0 });
  expect(query).not.toHaveProperty('lang');
  expect(query).not.toHaveProperty('free');
  expect(query.important.size).toBe(0);
});

test('the language of the person comes first, unless the tenant has another preference or filter', () => {
  const asked = (defaults: Partial<SearchDefaults>) => {
    const { lang, prefer } = createLearningObjectQuery('python', { ...initialDefaults, ...defaults }, 'en-GB');
    return { lang, prefer };
  };
  expect(asked({})).toEqual({ prefer: 'en' });
  expect(asked({ prefer: 'fr' })).toEqual({ prefer: 'fr' });
  expect(asked({ lang: 'fr' })).toEqual({ lang: 'fr' });
});

test('providers and price are strict filters, the language may yield', () => {
  const query = createLearningObjectQuery('python', {
    providers: ['edx'],
    lang: 'fr',
    model: 'strict',
    match: 'strict',
    itemsPerPage: 3,
    freeOnly: true,
  });
  expect(query).toMatchObject({ providers: ['edx'], lang: 'fr', model: 'strict', match: 'strict', max: 3 });
  expect(query.free).toBe(true);
  expect([...query.important].sort()).toEqual(['free', 'provider']);
});
