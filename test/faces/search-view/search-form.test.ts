import { describe, expect, test } from 'vitest';
import { initialDefaults } from '../../../src/domain/tenant.ts';
import {
  createSearchForm,
  dropSearchChoices,
  emptyForm,
  readSearchForm,
  readTypedSearch,
  toSearchFormQuery,
  writeSearchForm,
} from '../../../src/faces/search-view/search-form.ts';

const read = (text: string) => readSearchForm(new URLSearchParams(text));
const queryOf = (text: string, defaults = initialDefaults) => toSearchFormQuery(read(text), defaults, 'fr-CA');

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

  test('has everything that can be chosen, and all of it excludes', () => {
    const chosen = [
      'q=first+aid&provider=a&type=training&bloom=Apply&lang=fr&level=intermediate&length=halfDay',
      'price=free&address=Lyon&distance=50&sort=shortest&without=free+level&page=2',
    ].join('&');
    expect(queryOf(chosen)).toEqual({
      keywords: 'first aid',
      lang: 'fr',
      prefer: 'fr',
      providers: ['a'],
      types: ['training'],
      blooms: ['Apply'],
      sort: 'shortest',
      match: 'best-effort',
      model: 'extended',
      without: ['level', 'free'],
      max: 10,
      page: 2,
      free: true,
      levelMin: -0.2,
      levelMax: 0.2,
      learningTimeMax: 240,
      address: 'Lyon',
      distanceMax: 50,
      important: new Set([
        ...(['provider', 'type', 'bloom', 'lang', 'level'] as const),
        ...(['learningTime', 'free', 'distance'] as const),
      ]),
    });
  });

  test('can leave what is free', () => {
    expect(queryOf('q=x&price=paid')).toMatchObject({ free: false, important: new Set(['free']) });
  });

  test('finds words as the tenant says, or all of them where a term made it narrower', () => {
    const defaults = { ...initialDefaults, model: 'strict', itemsPerPage: 5 } as const;
    expect(queryOf('q=x', defaults)).toMatchObject({ model: 'strict', max: 5 });
    expect(queryOf('q=x&model=strict')).toMatchObject({ model: 'strict' });
  });

  test('is not limited to what was taken away in the page, though the tenant begins with it', () => {
    const defaults = { ...initialDefaults, providers: ['a'], lang: 'fr', freeOnly: true };
    const query = queryOf('q=x', defaults);
    expect(query.providers).toEqual([]);
    expect(query).not.toHaveProperty('lang');
    expect(query).not.toHaveProperty('free');
  });

  test('begins with the tenant’s providers as one choice, where they are several', () => {
    const defaults = { ...initialDefaults, providers: ['a', 'b'], lang: 'fr', freeOnly: true };
    const begun = createSearchForm(defaults);
    expect(toSearchFormQuery({ ...begun, q: 'x' }, defaults, 'fr')).toMatchObject({
      providers: ['a', 'b'],
      lang: 'fr',
      free: true,
      important: new Set(['provider', 'lang', 'free']),
    });
    expect(createSearchForm({ ...defaults, providers: ['a'] }).provider).toEqual(['a']);
  });

  test('has no place where nothing of the type is anywhere', () => {
    expect(queryOf('q=x&type=video&address=Lyon&distance=50')).not.toHaveProperty('address');
    expect(queryOf('q=x&type=training&address=Lyon')).not.toHaveProperty('address');
    expect(queryOf('q=x&type=training&distance=50')).not.toHaveProperty('distanceMax');
  });

  test('keeps nothing that nobody can type', () => {
    expect(queryOf('q=%00py%ED%A0%80thon%0A').keywords).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });
});

// An old or edited address still shows something.
test.each([
  [`address=${'x'.repeat(201)}`],
  ['distance=51'],
  ['level=expert'],
  [`lang=${'x'.repeat(61)}`],
  ['sort=random'],
  ['match=strict'],
  ['popularity=popular'],
  ['without=everything'],
  ['page=-1'],
  ['page=1e3x'],
  [`provider=${'p'.repeat(101)}`],
])('%s counts as not chosen', (text) => {
  expect(read(`q=x&${text}`)).toEqual({ ...emptyForm, q: 'x' });
});

test('too many words are cut, and of several types, providers or objectives the last counts', () => {
  expect(read(`q=${'x'.repeat(301)}`).q).toHaveLength(300);
  expect(read('type=a&type=b&provider=c&provider=d&bloom=e&bloom=f')).toMatchObject({
    type: ['b'],
    provider: ['d'],
    bloom: ['f'],
  });
  expect(read('page=99999').page).toBe(1000);
});

test('an address says what was chosen, and nothing else', () => {
  const address = 'q=x&topic=06&provider=a&type=training&lang=fr&level=advanced&price=free&distance=50&sort=shortest';
  expect(read(writeSearchForm(read(address)).toString())).toEqual(read(address));
  expect(writeSearchForm(emptyForm).toString()).toBe('');
  expect(writeSearchForm(read('q=x&page=3')).toString()).toBe('q=x');
  expect(writeSearchForm(read('q=x'), { page: 3 }).toString()).toBe('q=x&page=3');
});

test('choices are taken away by the names of their fields', () => {
  const form = read('q=x&type=training&address=Lyon&distance=50&price=free&page=2');
  expect(dropSearchChoices(form, 'address distance')).toEqual(read('q=x&type=training&price=free'));
});

describe('filters among the words', () => {
  test.each([
    ['docker type:video', { q: 'docker', type: ['video'] }],
    ['docker typ:film level:easy', { q: 'docker', type: ['video'], level: 'beginner' }],
    ['comptabilité en français', { q: 'comptabilité', lang: 'fr' }],
    ['Projektmanagement auf Deutsch', { q: 'Projektmanagement', lang: 'de' }],
    ['writing emails in English -spam', { q: 'writing emails -spam', lang: 'en' }],
    ['docker price:free', { q: 'docker', price: 'free' }],
    ['docker has:captions,share', { q: 'docker', rights: 'mayShare', access: 'captions' }],
    ['docker licence:adaptation lizenz:teilen', { q: 'docker', rights: 'mayShare' }],
    ['docker since:1998 sort:newest', { q: 'docker', since: '1998', sort: 'newest' }],
    ['docker seit:2020 orden:corto bloom:anwenden', { q: 'docker', since: '2020', sort: 'shortest', bloom: ['Apply'] }],
    ['docker max:1h', { q: 'docker', length: 'hour' }],
    ['docker min:45 max:20min', { q: 'docker', length: '20-45' }],
    ['docker min:1h30', { q: 'docker', length: '90-' }],
    ['docker lang:any type:video', { q: 'docker', type: ['video'] }],
  ])('%s fills in the form', (typed, fields) => {
    expect(read(new URLSearchParams({ q: typed }).toString())).toEqual({ ...emptyForm, ...fields });
  });

  test('a length of other minutes is kept in addresses, and limits the search', () => {
    const form = read('q=docker+min:20+max:45');
    expect(read(writeSearchForm(form).toString())).toEqual(form);
    expect(queryOf('q=docker&length=20-45')).toMatchObject({ learningTimeMin: 20, learningTimeMax: 45 });
    expect(queryOf('q=docker&length=-45')).not.toHaveProperty('learningTimeMin');
  });

  test('a provider is found by its name, where the list has it; a year by the clock', async () => {
    const clock = { now: () => new Date('2031-05-05') };
    const lists = async () => ({
      providers: [{ id: 'openlearn', name: 'OpenLearn', logos: [], url: 'https://a.example' }],
    });
    const readTyped = (q: string) => readTypedSearch(new URLSearchParams({ q }), { clock, lists });
    expect(await readTyped('docker anbieter:openlearn')).toEqual({
      ...emptyForm,
      q: 'docker',
      provider: ['openlearn'],
    });
    expect(await readTyped('docker provider:nobody')).toEqual({ ...emptyForm, q: 'docker provider:nobody' });
    expect(await readTyped('docker since:2031')).toMatchObject({ q: 'docker', since: '2031' });
    expect(await readTyped('docker since:2032')).toMatchObject({ q: 'docker since:2032', since: '' });
  });

  test.each([
    'sort:random docker',
    'since:1899 docker',
    'max:soon docker',
    'type:nonsense docker',
    'in English',
    '"in English" letters',
    'C: drive',
    'ratio 2:1',
    'free will',
  ])('%s stays as it was typed', (typed) => {
    expect(read(new URLSearchParams({ q: typed }).toString())).toEqual({ ...emptyForm, q: typed });
  });

  test('excluded words and phrases are checked, as services do not support them', () => {
    const query = queryOf(new URLSearchParams({ q: 'java “design patterns” -script' }).toString());
    expect(query.keywords).toBe('java design patterns');
    expect(query.checks).toEqual({ excluded: ['script'], phrases: ['design patterns'] });
    expect(queryOf('q=e-mail+-').checks).toBeUndefined();
  });
});
