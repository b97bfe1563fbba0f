import { expect, test } from 'vitest';
import { parseLearn, typedTerm } from '../../../../src/faces/slack/learn/parse-learn.ts';

test.each(['data analyst', 'C++', 'problem-solving', 'Tableau (software)'])(
  '%s is typed as it is',
  (label) => {
    expect(typedTerm(label)).toBe(label);
  },
);

test.each([
  ['free software', 'free software'],
  ['type:video', 'type:video'],
  ['-word', '-word'],
  ['List<T>', 'List<T>'],
  ['say "hello" free', 'say  hello  free'],
])('nothing of %s is a filter', (label, words) => {
  const typed = parseLearn(typedTerm(label));
  expect(typed.filters).toEqual([]);
  expect(typed.excluded).toEqual([]);
  expect(typed.words.replace(/\s+/g, ' ')).toBe(words.replace(/\s+/g, ' '));
});
