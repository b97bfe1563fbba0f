import { expect, test } from 'vitest';
import { createSlowProviders } from '../../../src/services/discovery/provider-calls.ts';
import { createStandingClock } from '../../fakes/clock.ts';

test('a provider is slow for a minute, or until it answers, and for its own tenant only', () => {
  const clock = createStandingClock();
  const slow = createSlowProviders(clock);
  slow.add('school', 'tube');
  slow.add('school', 'books');
  expect(slow.has('school', 'tube')).toBe(true);
  expect(slow.has('school', 'films')).toBe(false);
  expect(slow.has('library', 'tube')).toBe(false);
  slow.remove('school', 'books');
  expect(slow.has('school', 'books')).toBe(false);
  clock.advance(59_000);
  expect(slow.has('school', 'tube')).toBe(true);
  clock.advance(2_000);
  expect(slow.has('school', 'tube')).toBe(false);
});
