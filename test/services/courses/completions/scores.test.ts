import { expect, test } from 'vitest';
import { findScoreSecond } from '../../../../src/services/courses/completions/scores.ts';

test.each([
  ['10:00:00.999', undefined, '10:00:00'],
  ['10:00:00.999', '09:59:59', '10:00:00'],
  ['10:00:00.000', '10:00:00', '10:00:01'],
  ['10:00:00.999', '10:00:00.500', '10:00:01'],
  ['10:00:00', '11:00:00', '11:00:01'],
])('at %s after %s it is %s', (now, before, expected) => {
  const at = (time: string) => new Date(`2026-03-01T${time}Z`);
  expect(findScoreSecond(at(now), before === undefined ? undefined : at(before))).toEqual(at(expected));
});
