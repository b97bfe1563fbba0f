import { describe, expect, test } from 'vitest';
import { initialDefaults } from '../../../src/domain/tenant.ts';
import { readSearchForm, toSearchFormQuery } from '../../../src/faces/search-view/search-form.ts';

const read = (text: string, defaults = initialDefaults) =>
  readSearchForm(new URLSearchParams(text), defaults);

function queryOf(text: string, defaults = initialDefaults) {
  const { form } = read(text, defaults);
  if (form === null) throw new Error(`${text} is refused`);
  return toSearchFormQuery(form, defaults, 'fr-CA');
}

describe('a search', () => {
  test('with words alone is what the tenant begins with', () => {
    expect(queryOf('q=python')).toEqual({
      keywords: 'python',
      prefer: 'fr',
      providers: [],
      types: [],
      blooms: [],
      sort: 'popularity',
      match: 'best-effort',
      model: 'extended',
      max: 10,
      page: 0,
      important: new Set(),
    });
  });

  test('has everything that can be chosen', () => {
    const chosen = [
      'q=first+aid&provider=a&provider=b&type=mooc&type=training&bloom=Apply&lang=fr&level=intermediate&length=halfDay',
      'price=free&popularity=popular&address=Lyon&distance=50&sort=random&model=strict&match=strict&page=2',
    ].join('&');
    expect(queryOf(chosen)).toEqual({
      keywords: 'first aid',
      lang: 'fr',
      providers: ['a', 'b'],
      types: ['mooc', 'training'],
      blooms: ['Apply'],
      sort: 'random',
      match: 'strict',
      model: 'strict',
      max: 10,
      page: 2,
      free: true,
      levelMin: -0.2,
      levelMax: 0.2,
      learningTimeMax: 240,
      popularityMin: 0.5,
      address: 'Lyon',
      distanceMax: 50,
      important: new Set(['provider', 'free', 'distance']),
    });
  });

  test('can leave what is free', () => {
    expect(queryOf('q=x&price=paid')).toMatchObject({ free: false, important: new Set(['free']) });
  });

  test('goes on with how the tenant searches where the page does not say', () => {
    const defaults = { ...initialDefaults, model: 'strict', match: 'strict', itemsPerPage: 5 } as const;
    expect(queryOf('q=x', defaults)).toMatchObject({ model: 'strict', match: 'strict', max: 5 });
  });

  test('is not limited to what was taken away in the page, though the tenant begins with it', () => {
    const defaults = { ...initialDefaults, providers: ['a'], lang: 'fr', freeOnly: true };
    const query = queryOf('q=x', defaults);
    expect(query.providers).toEqual([]);
    expect(query).not.toHaveProperty('lang');
    expect(query).not.toHaveProperty('free');
  });

  test('has no place where nothing of the type is anywhere', () => {
    expect(queryOf('q=x&type=video&address=Lyon&distance=50')).not.toHaveProperty('address');
    expect(queryOf('q=x&type=training&address=Lyon')).not.toHaveProperty('address');
  });

  test('keeps nothing that nobody can type', () => {
    expect(queryOf('q=%00py%ED%A0%80thon%0A').keywords).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });
});

test.each([
  ['q=', 'q', 'noWords'],
  ['q=%20%09', 'q', 'noWords'],
  [`q=${'x'.repeat(301)}`, 'q', 'longWords'],
  ['q=x&type=training&distance=50', 'address', 'noAddress'],
  [`q=x&address=${'x'.repeat(201)}`, 'address', 'longAddress'],
  ['q=x&distance=51', 'distance', 'unknownChoice'],
  ['q=x&level=expert', 'level', 'unknownChoice'],
  ['q=x&lang=%3Cscript%3E', 'lang', 'unknownChoice'],
  ['q=x&sort=price', 'sort', 'unknownChoice'],
  ['q=x&page=-1', 'page', 'unknownChoice'],
  ['q=x&page=1001', 'page', 'unknownChoice'],
  ['q=x&page=1e3x', 'page', 'unknownChoice'],
  [`q=x${'&provider=p'.repeat(101)}`, 'provider', 'unknownChoice'],
])('%s is refused at %s', (text, field, name) => {
  expect(read(text)).toEqual({ form: null, problem: { field, name } });
});
