import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BLACK,
  measureColourContrast,
  pickTextColour,
  readColour,
  toReadableColour,
  WHITE,
} from '../../src/domain/colour.ts';

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test.each([
  ['#0b6464', '#0b6464'],
  [' 0B6464 ', '#0b6464'],
  ['#fff', null],
  ['', null],
  ['#0b646', null],
  ['red', null],
  ['#0b6464"><script>', null],
])('reads %s as %s', (text, colour) => {
  expect(readColour(text)).toBe(colour);
});

test('measures contrast as WCAG does', () => {
  expect(measureColourContrast(WHITE, BLACK)).toBe(21);
  expect(measureColourContrast('#777777', '#777777')).toBe(1);
  // The grey that is known to fail just so, and the one that just passes.
  expect(measureColourContrast('#777777', WHITE)).toBeCloseTo(4.48, 2);
  expect(measureColourContrast('#767676', WHITE)).toBeCloseTo(4.54, 2);
  expect(measureColourContrast(WHITE, '#767676')).toBe(measureColourContrast('#767676', WHITE));
});

test('chooses a readable colour of text for any background', () => {
  fc.assert(
    fc.property(colours, (ground) => {
      expect(measureColourContrast(pickTextColour(ground), ground)).toBeGreaterThan(4.5);
    }),
  );
});

test('finds a readable colour close to another one', () => {
  fc.assert(
    fc.property(colours, colours, (colour, ground) => {
      expect(measureColourContrast(toReadableColour(colour, ground), ground)).toBeGreaterThanOrEqual(4.5);
    }),
  );
  expect(toReadableColour('#0b6464', '#ffffff')).toBe('#0b6464');
});
