import { expect, test } from 'vitest';
import { endOfDay } from '../../src/domain/day.ts';

test('a day ends with its last millisecond in UTC', () => {
  expect(endOfDay('2028-02-29')).toEqual(new Date('2028-02-29T23:59:59.999Z'));
  expect(endOfDay('9999-12-31')).toEqual(new Date('9999-12-31T23:59:59.999Z'));
});

test.each(['2027-02-29', '2027-04-31', '2027-13-01', '+010000-01-01', '27-1-1', 'tomorrow', ''])(
  '%j is no day',
  (text) => {
    expect(endOfDay(text)).toBeNull();
  },
);
