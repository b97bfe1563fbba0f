import { expect, test } from 'vitest';
import { asksForHelp } from '../../../../src/faces/slack/blocks/text.ts';

test.each([
  ['help', true],
  [' HELP ', true],
  ['aide', true],
  ['?', true],
  ['help desk', false],
  ['', false],
])('%j asks for help: %j', (typed, asks) => {
  expect(asksForHelp(typed)).toBe(asks);
});
