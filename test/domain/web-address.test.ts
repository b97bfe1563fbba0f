import { expect, test } from 'vitest';
import { findWebAddressProblem, parseWebAddress } from '../../src/domain/web-address.ts';

test.each([
  [' https://Example.org/a b ', 'https://example.org/a%20b'],
  ['http://example.org', 'http://example.org/'],
  ['https://example.org:443/é', 'https://example.org/%C3%A9'],
])('%j is kept as %j', (text, address) => {
  expect(parseWebAddress(text)).toBe(address);
  expect(parseWebAddress(address)).toBe(address);
});

test.each([
  ['', 'notAWebAddress'],
  ['example.org', 'notAWebAddress'],
  ['ftp://example.org/', 'notAWebAddress'],
  ['javascript:alert(1)', 'notAWebAddress'],
  [`https://example.org/${'x'.repeat(2_000)}`, 'notAWebAddress'],
  // It grows where it is kept.
  [`https://example.org/${'é'.repeat(1_000)}`, 'notAWebAddress'],
  ['https://ada@example.org/', 'addressWithLogin'],
  ['https://:pw@example.org/', 'addressWithLogin'],
])('%j cannot be used', (text, problem) => {
  expect(findWebAddressProblem(text)).toBe(problem);
  expect(parseWebAddress(text)).toBeNull();
});
