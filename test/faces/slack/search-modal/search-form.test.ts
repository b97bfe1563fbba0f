import { expect, test } from 'vitest';
import { lengths } from '../../../../src/domain/learning-object-query.ts';
import { readQueryMinutes } from '../../../../src/domain/query-intent/query-grammar.ts';
import { parseLearn } from '../../../../src/faces/slack/learn/understand.ts';
import { writeSearchLength, writeSearchLine } from '../../../../src/faces/slack/search-modal/search-form.ts';
import { nothingBegun } from './start-search.ts';

const words = { search_words: { search_words: { type: 'plain_text_input', value: 'docker' } } };

const lineOf = (field: string, ...chosen: readonly string[]) => {
  const [value = ''] = chosen;
  const several = { type: 'multi_static_select', selected_options: chosen.map((each) => ({ value: each })) };
  const one = { type: 'static_select', selected_option: { value } };
  const isOne = ['length', 'price', 'lang'].includes(field);
  return writeSearchLine(
    { ...words, [`search_${field}`]: { [`search_${field}`]: isOne ? one : several } },
    nothingBegun,
  );
};

test.each(Object.entries(lengths))('the length %s is typed as the minutes it stands for', (_, range) => {
  const { filters } = parseLearn(lineOf('length', writeSearchLength(range))!);
  const read = Object.fromEntries(
    filters.map(({ key, values }) => [
      key === 'max' ? 'learningTimeMax' : 'learningTimeMin',
      readQueryMinutes(values[0]!),
    ]),
  );
  expect(read).toEqual(range);
});

test.each([
  ['type', 'distance learning'],
  ['provider', 'a,b'],
  ['provider', 'fun-mooc'],
  ['bloom', 'Apply'],
  ['price', 'paid'],
  ['lang', 'fr'],
  ['level', 'advanced'],
])('%s %s is read as it was chosen', (field, value) => {
  expect(parseLearn(lineOf(field, value)!)).toMatchObject({
    words: 'docker',
    filters: [{ key: field, values: [value] }],
    excluded: [],
  });
});

test('joins several values with commas', () => {
  const { filters } = parseLearn(lineOf('type', 'video', 'distance learning')!);
  expect(filters).toEqual([{ key: 'type', values: ['video', 'distance learning'] }]);
});

test.each(['constructor', '', ' ', 'any', 'max:15min type:video'])('the length %j is left out', (value) => {
  expect(lineOf('length', value)).toBe('docker');
});

test('writes any for a removed preference', () => {
  const begun = { ...nothingBegun, lang: 'fr', types: ['video'], price: 'free' as const };
  expect(writeSearchLine(words, begun)).toBe('docker type:any price:any lang:any');
  const open = {
    search_lang: { search_lang: { type: 'external_select', selected_option: { value: 'any' } } },
  };
  expect(writeSearchLine({ ...words, ...open }, begun)).toContain('lang:any');
});

test('gives no line without words and skill', () => {
  expect(writeSearchLine({}, nothingBegun)).toBeNull();
  const empty = { search_words: { type: 'plain_text_input', value: null } };
  const skill = { search_skill: { type: 'external_select', selected_option: null } };
  expect(writeSearchLine({ search_words: empty, search_skill: skill }, nothingBegun)).toBeNull();
  const marks = { type: 'external_select', selected_option: { value: '“”' } };
  const preferred = { ...nothingBegun, lang: 'fr' };
  expect(writeSearchLine({ search_skill: { search_skill: marks } }, preferred)).toBeNull();
});
