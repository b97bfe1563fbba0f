import { expect, test } from 'vitest';
import { asksForHelp, normaliseTyped } from '../../../../src/faces/slack/blocks/text.ts';

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

test.each([
  [':whale: docker', 'docker'],
  ['docker:whale:', 'docker'],
  [':wave::skin-tone-2: :100: :+1: :e-mail: docker', 'docker'],
  ['type：video', 'type:video'],
  ['type:video lang:fr', 'type:video lang:fr'],
  ['at 10:30:00', 'at 10:30:00'],
  ['<https://example.org:8080/a:b:c>', 'https://example.org:8080/a:b:c'],
])('%j is typed as %j', (typed, expected) => {
  expect(normaliseTyped(typed).trim()).toBe(expected);
});
