import { expect, test } from 'vitest';
import { isLongText } from '../../../../src/faces/slack/skills/show-skills.ts';

test.each([
  'data analyst',
  'Information and communications technology operations technicians',
  'Sr. developer',
  'C++ / .NET',
  'We need somebody who knows Python.',
  '',
])('reads %s as a name', (text) => {
  expect(isLongText(text)).toBe(false);
});

test.each([
  ['more than 80 characters', 'data '.repeat(17)],
  ['several lines', 'Python\nSQL'],
  ['several sentences', 'You know Python. You like SQL.'],
  ['several sentences in French', "Vous aimez l'analyse. Vous codez"],
])('reads %s as a text', (_, text) => {
  expect(isLongText(text)).toBe(true);
});
