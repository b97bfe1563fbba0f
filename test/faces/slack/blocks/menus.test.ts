import { expect, test } from 'vitest';
import { findMenuOptions } from '../../../../src/faces/slack/blocks/menus.ts';

const named = [
  { value: '1', name: 'Grande école' },
  { value: '2', name: 'École ouverte' },
  { value: '3', name: 'edX' },
  { value: 'x'.repeat(76), name: 'Écoles' },
];
const matching = (typed: string) => findMenuOptions(named, typed, 'fr').map(({ text }) => text.text);

test.each([
  ['ecole', ['École ouverte', 'Grande école']],
  [' ÉCOLE ', ['École ouverte', 'Grande école']],
  ['EDX', ['edX']],
  ['nobody', []],
  ['', ['École ouverte', 'edX', 'Grande école']],
])('%j finds names that begin with it, then names that contain it', (typed, names) => {
  expect(matching(typed)).toEqual(names);
});
