import { expect, test } from 'vitest';
import {
  findLoopbackOrigin,
  findWebAddressProblem,
  isLoopbackAddress,
  parseWebAddress,
} from '../../src/domain/web-address.ts';

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

test.each([
  ['http://localhost:3000', true],
  ['http://lms.localhost', true],
  ['http://127.0.0.1:3000/demo', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:3000', true],
  ['https://localhost.example.org', false],
  ['https://127.0.0.1.example.org', false],
  ['https://notlocalhost', false],
  ['http://192.168.0.1', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isLoopbackAddress(url)).toBe(expected);
});

test.each([
  [undefined, 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['10.0.0.5', 'http://10.0.0.5:3000'],
])('a host that listens on %s reaches itself at %s', (host, expected) => {
  expect(findLoopbackOrigin(host, 3000)).toBe(expected);
});
